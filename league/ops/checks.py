"""Checks that database and broker answer and are recent enough."""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from secrets import token_hex
from typing import Any, Final

import pgtrigger
from celery import current_app
from django.apps import apps
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, ForeignKey, Model, UniqueConstraint
from kombu.exceptions import OperationalError as KombuError
from psycopg import Error

from league.ops import environment, folders
from league.ops.broker import Broker
from league.ops.postgres import Postgres
from league.ops.programs import OLDEST
from league.ops.servers import CannotServe

HEARD_SECONDS = 2.0
"""How long a notification may take."""
_BROKER_SECONDS = 5
_OURS = ("games.", "league.")
# Checks of one column are named by PostgreSQL itself.
_SCHEMA = """
WITH ours AS (
    SELECT oid, relname FROM pg_class
    WHERE relname = ANY(%s) AND relnamespace = current_schema()::regnamespace
)
SELECT format(
    'column %%s.%%s: %%s%%s', relname, attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN ' not null' END
)
FROM ours JOIN pg_attribute ON attrelid = ours.oid WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT CASE
    WHEN indisunique AND indpred IS NULL AND indexprs IS NULL THEN format('unique %%s: %%s', relname, (
        SELECT string_agg(attname, ',' ORDER BY place)
        FROM unnest(indkey) WITH ORDINALITY AS keys (number, place)
        JOIN pg_attribute ON attrelid = ours.oid AND attnum = number
    ))
    WHEN indisunique THEN format('constraint %%s: %%s', relname, indexrelid::regclass)
    ELSE format('index %%s', indexrelid::regclass)
END
FROM ours JOIN pg_index ON indrelid = ours.oid
UNION ALL
SELECT CASE contype
    WHEN 'f' THEN format('foreign key %%s: %%s', relname, attname)
    ELSE format('constraint %%s: %%s', relname, conname)
END
FROM ours JOIN pg_constraint ON conrelid = ours.oid
LEFT JOIN pg_attribute ON attrelid = ours.oid AND attnum = conkey[1]
WHERE contype IN ('f', 'x') OR contype = 'c' AND conname <> format('%%s_%%s_check', relname, attname)
UNION ALL
SELECT format('rule %%s: %%s', relname, rulename) FROM ours JOIN pg_rewrite ON ev_class = ours.oid
UNION ALL
SELECT format('disabled trigger %%s: %%s', relname, tgname)
FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE tgisinternal AND tgenabled NOT IN ('O', 'A')
UNION ALL
SELECT format('setting %%s', setting)
FROM (
    SELECT unnest(setconfig) AS setting FROM pg_db_role_setting
    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION SELECT 'session_replication_role=' || current_setting('session_replication_role')
) AS settings
WHERE setting ~ '^(session_replication_role=(?!origin)|pgtrigger[.])'
"""
_NEVER: Final = ("rule ", "disabled ", "setting ")
"""What no release adds."""
_IGNORES: Final = "_pgtrigger_should_ignore"
_SOURCE: Final = re.compile(r"RETURNS \w+ AS \$\$(.*?)\$\$", re.DOTALL)
_DEFINITION: Final = re.compile(r"CREATE\s+TRIGGER[^;]*")
# With those of the log's partitions, to which PostgreSQL clones none.
_TRIGGERS = """
SELECT relname, pg_get_triggerdef(pg_trigger.oid, true), prosrc
FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid JOIN pg_proc ON tgfoid = pg_proc.oid
WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND proconfig IS NULL AND (
    relname = ANY(%s) AND relnamespace = current_schema()::regnamespace
    OR pg_class.oid IN (SELECT relid FROM pg_partition_tree('games_move'))
)
UNION ALL
SELECT '', proname, prosrc FROM pg_proc
WHERE proname = %s AND proconfig IS NULL
UNION ALL
SELECT relid::text, '', '' FROM pg_partition_tree('games_move')
"""


def check() -> None:
    """Raise CannotServe, with what to do, unless database and broker can be used."""
    check_database()
    check_broker()


def check_database() -> None:
    """Raise CannotServe unless the database answers and is recent enough."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            (version,) = cursor.fetchone()
    except OperationalError as error:
        raise CannotServe(_silent("database", error, Postgres)) from error
    if int(version.partition(".")[0]) < OLDEST:
        raise CannotServe(
            f"The database is PostgreSQL {version}, and Trefoil needs {OLDEST} or later. "
            "Set DATABASE_URL to another server, or unset it to use the embedded one."
        )


def check_schema() -> None:
    """Raise CannotServe unless tables, keys, constraints and triggers are those of this release's models.

    What a later release has added is no fault, so that hosts can change to it one after the other.
    """
    if missing := schema_differences():
        raise CannotServe(
            f"The database is migrated, but is not as this release needs it. There should be {missing[0]}"
            f"{f', and {len(missing) - 1} more differences' * (len(missing) > 1)}. It was made by another "
            "release with migrations of the same names, or changed by hand. Use the release that made it, or "
            "restore a backup that fits this one."
        )


def schema_differences() -> Sequence[str]:
    """Return what should be in the database, and "no" with what should not: tables, triggers, settings."""
    with connection.cursor() as cursor:
        tables = [model._meta.db_table for model in _models()]
        cursor.execute(_SCHEMA, [tables])
        stored = {fact for (fact,) in cursor.fetchall()}
        cursor.execute(_TRIGGERS, [tables, _IGNORES])
        triggers = cursor.fetchall()
    stored |= {_trigger(*row) for row in triggers if row[1]}
    needed = {*_needed(), *_needed_triggers([table for table, what, _ in triggers if not what])}
    more = sorted(fact for fact in stored - needed if not fact.startswith("index "))
    if more and _is_of_a_later_release():
        more = [fact for fact in more if fact.startswith(_NEVER)]
    return [*sorted(needed - stored), *(f"no {fact}" for fact in more)]


def _is_of_a_later_release() -> bool:
    known = MigrationLoader(None).disk_migrations
    return not {*MigrationRecorder(connection).applied_migrations()} <= {*known}


def _models() -> list[type[Model]]:
    ours = [
        model for model in apps.get_models(include_auto_created=True) if model.__module__.startswith(_OURS)
    ]
    return [model for model in ours if model._meta.managed]


def _needed() -> Iterator[str]:
    """Yield what the models need of the database, as `_SCHEMA` says what is there."""
    for model in _models():
        meta = model._meta
        yield from _of_fields(meta.db_table, meta.local_concrete_fields)
        for names in meta.unique_together:
            yield _unique(model, names)
        for constraint in meta.constraints:
            if isinstance(constraint, UniqueConstraint) and constraint.fields and not constraint.condition:
                yield _unique(model, constraint.fields)
            else:
                yield f"constraint {meta.db_table}: {constraint.name}"
        yield from (f"index {index.name}" for index in meta.indexes)


def _needed_triggers(partitions: Sequence[str]) -> Iterator[str]:
    for ruled, trigger in pgtrigger.registered():
        table, sql = ruled._meta.db_table, trigger.compile(ruled).install_sql
        ignores, source = _SOURCE.findall(sql)  # of both functions
        definition = _DEFINITION.search(sql)
        assert definition is not None
        yield _trigger("", _IGNORES, ignores)
        for each in partitions if table == "games_move" else [table]:
            yield _trigger(each, definition[0].replace(f'"{table}"', each), source)


def _trigger(table: str, definition: str, source: str) -> str:
    """Return a trigger, or the function that switches triggers off, with a digest of all that it does.

    PostgreSQL gives definitions back with the same words.
    """
    words = sorted(re.findall(r"\w+", definition.lower().replace("procedure", "function")))
    digest = sha256(" ".join([*words, *source.split()]).encode()).hexdigest()
    name = re.search(r"_?pgtrigger_\w+", definition)
    return f"trigger {table}: {name[0] if name else ''} {digest[:16]}"


def _of_fields(table: str, fields: "Iterable[Field[Any, Any]]") -> Iterator[str]:
    for field in fields:
        kind = re.sub(r"\[\d+\]", "[]", field.db_type(connection) or "").replace(", ", ",")
        kind = re.sub("^time$", "time without time zone", kind).replace("varchar", "character varying")
        yield f"column {table}.{field.column}: {kind}{' not null' * (not field.null)}"
        # A table in partitions can't have a key without what it is parted by.
        if field.unique and (table, field.column) != ("games_move", "id"):
            yield f"unique {table}: {field.column}"
        if isinstance(field, ForeignKey):
            yield f"foreign key {table}: {field.column}"


def _unique(model: type[Model], names: Iterable[str]) -> str:
    columns = ",".join(str(getattr(model._meta.get_field(name), "column", "")) for name in names)
    return f"unique {model._meta.db_table}: {columns}"


def check_notifications() -> None:
    """Raise CannotServe unless what is told on the usual connection is heard on the direct one.

    Without a pooler there is but one kind.
    """
    if not connection.settings_dict.get("DIRECT"):
        return
    channel = f"trefoil_probe_{token_hex(8)}"
    try:
        # Of our own backend.
        given = connection.direct_parameters()  # type: ignore[attr-defined]
        with connection.get_new_connection(given) as direct:
            direct.autocommit = True
            direct.execute(f"LISTEN {channel}")
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_notify(%s, '')", [channel])
            heard = [*direct.notifies(timeout=HEARD_SECONDS, stop_after=1)]
    except (DatabaseError, Error) as error:
        raise CannotServe(_silent("database", error, Postgres, "DATABASE_DIRECT_URL")) from error
    if not heard:
        raise CannotServe(
            "DATABASE_DIRECT_URL is another database, or a pooler: what is told here is not heard there."
        )


def check_broker() -> None:
    """Raise CannotServe unless the broker answers."""
    with current_app.connection_for_write(connect_timeout=_BROKER_SECONDS) as link:
        try:
            link.ensure_connection(max_retries=1, timeout=_BROKER_SECONDS)
        except KombuError as error:
            raise CannotServe(_silent("broker", error, Broker)) from error


def _silent(what: str, error: Exception, embedded: type[Postgres] | type[Broker], variable: str = "") -> str:
    """Return a sentence with where to look: a setting, or the log of the embedded server."""
    named, log = variable or embedded.instead, embedded(folders.data_folder()).log
    look = f"Check {named}." if environment.text(named) else f"It is the embedded one: see {log}."
    return f"The {what} does not answer. {look}\n{str(error).strip()}"
