-- A sentence for each fact that decides what tables hold and show: `described` in prepare.py.
WITH ours AS (
    SELECT * FROM pg_class WHERE relkind IN ('r', 'p', 'f', 'v', 'm')
    AND relnamespace = current_schema()::regnamespace
    AND (relname = ANY(%(tables)s) OR relname ~ '^games_move')
), of_extensions AS (
    SELECT classid, objid FROM pg_depend JOIN pg_extension ON pg_extension.oid = refobjid
    WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
    AND (extname <> 'plpgsql' OR objid::regproc::text ~ '^plpgsql_(call_handler|inline_handler|validator)$')
), added AS (
    SELECT * FROM (
        -- What applies to our statements by itself, with the functions that it calls.
        SELECT 'pg_cast'::regclass AS class, oid, castfunc AS calls, 0 AS schema,
            greatest(castsource, casttarget) < %(first)s AS of_system FROM pg_cast
        UNION ALL SELECT 'pg_amproc'::regclass, oid, amproc, 0, true FROM pg_amproc
        WHERE greatest(amprocfamily, amproclefttype, amprocrighttype) < %(first)s
        UNION ALL SELECT 'pg_amop'::regclass, oid, amopopr, 0, true FROM pg_amop
        WHERE greatest(amopfamily, amoplefttype, amoprighttype) < %(first)s
        UNION ALL SELECT 'pg_subscription'::regclass, oid, 0, 0, true FROM pg_subscription
        WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        UNION ALL SELECT 'pg_event_trigger'::regclass, oid, evtfoid, 0, true FROM pg_event_trigger
        -- What our statements find by its name.
        UNION ALL SELECT 'pg_type'::regclass, oid, greatest(typinput, typoutput), typnamespace, false
        FROM pg_type WHERE typrelid = 0 AND typelem = 0
        UNION ALL SELECT 'pg_operator'::regclass, oid, oprcode, oprnamespace, false FROM pg_operator
        UNION ALL SELECT 'pg_opclass'::regclass, oid, 0, opcnamespace, false FROM pg_opclass
        UNION ALL SELECT 'pg_collation'::regclass, oid, 0, collnamespace, false FROM pg_collation
        UNION ALL SELECT 'pg_proc'::regclass, oid, 0, pronamespace, false FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace
    ) AS found
    WHERE greatest(oid, calls) >= %(first)s
    AND schema IN (0, 'pg_catalog'::regnamespace, current_schema()::regnamespace)
    AND (of_system OR (class, oid) NOT IN (SELECT classid, objid FROM of_extensions))
), roles AS (
    SELECT oid, rolname FROM pg_roles
    WHERE EXISTS (SELECT FROM ours WHERE has_table_privilege(pg_roles.oid, ours.oid, 'SELECT'))
)
SELECT format(
    'table %%s: %%s%%s%%s%%s %%s', relname, relkind, relpersistence,
    CASE WHEN relrowsecurity THEN ' row security' END, CASE WHEN relforcerowsecurity THEN ' forced' END,
    concat_ws(' ', amname, CASE WHEN relispartition THEN 'partition' END)
)
FROM ours LEFT JOIN pg_am ON pg_am.oid = relam
UNION ALL
SELECT format('inheritance: %%s of %%s', inhrelid::regclass, inhparent::regclass)
FROM pg_inherits WHERE EXISTS (SELECT FROM ours WHERE oid IN (inhrelid, inhparent))
UNION ALL
SELECT format('column %%s.%%s: %%s', relname, attname, concat_ws(
    ' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
    CASE WHEN attcollation <> typcollation THEN attcollation::regcollation END,
    'default ' || pg_get_expr(adbin, adrelid), nullif(attgenerated, ''), nullif(attidentity, '')
))
FROM ours JOIN pg_attribute ON attrelid = ours.oid JOIN pg_type ON pg_type.oid = atttypid
LEFT JOIN pg_attrdef ON adrelid = ours.oid AND adnum = attnum
WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT format('constraint %%s.%%s: %%s', relname, conname, pg_get_constraintdef(pg_constraint.oid, true))
FROM ours JOIN pg_constraint ON conrelid = ours.oid WHERE contype NOT IN ('n', 't')
UNION ALL
SELECT concat_ws(' ', 'index', CASE WHEN NOT (indisvalid AND indisready AND indislive) THEN 'invalid' END,
    pg_get_indexdef(indexrelid, 0, true))
FROM ours JOIN pg_index ON indrelid = ours.oid
UNION ALL
SELECT concat_ws(' ', CASE WHEN tgenabled NOT IN ('O', 'A') THEN 'disabled' END, 'trigger', relname,
    CASE WHEN tgisinternal THEN tgname ELSE pg_get_triggerdef(pg_trigger.oid, true) END)
FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE NOT tgisinternal OR tgenabled NOT IN ('O', 'A')
UNION ALL
SELECT format('rule %%s', pg_get_ruledef(pg_rewrite.oid)) FROM ours JOIN pg_rewrite ON ev_class = ours.oid
UNION ALL
SELECT format('policy %%s: %%s', relname, polname) FROM ours JOIN pg_policy ON polrelid = ours.oid
UNION ALL
SELECT concat_ws(' ', type, identity) FROM added, pg_identify_object(class, added.oid, 0)
UNION ALL
SELECT format('function %%s: %%s', pg_proc.oid::regprocedure, md5(concat_ws(
    ' ', prosrc, probin, lanname, prosecdef, provolatile, prorettype::regtype,
    array_remove(proconfig, 'search_path=' || current_setting('search_path'))
)))
FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
WHERE pronamespace = current_schema()::regnamespace
AND ('pg_proc'::regclass, pg_proc.oid) NOT IN (SELECT classid, objid FROM of_extensions)
UNION ALL
SELECT format('schema %%s, which is named as a role', nspname)
FROM roles JOIN pg_namespace ON nspname = rolname WHERE nspname <> current_schema()
UNION ALL
SELECT format('setting %%s', setting) FROM (
    SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND (setrole = 0 OR setrole IN (SELECT oid FROM roles))
    UNION SELECT 'session_replication_role=' || current_setting('session_replication_role')
) AS settings
WHERE setting !~ %(harmless)s
