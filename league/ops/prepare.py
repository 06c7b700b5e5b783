"""Whether database and broker can be used, and what the database has to be.

`python -m league.ops.prepare` makes it ready for the parts that `up` then starts.
"""

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Final

import django
from celery import current_app
from django.apps import apps
from django.core.management import call_command, get_commands
from django.db import DatabaseError, OperationalError, ProgrammingError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import ForeignKey
from kombu.exceptions import OperationalError as KombuError
from psycopg import Error

from league.ops import environment, folders
from league.ops.embedded import Broker
from league.ops.environment import BadSetting
from league.ops.postgres import OLDEST, Postgres
from league.ops.servers import CannotServe, needing_files

# ---- Whether they answer and are recent enough ---------------------------------------------------

HEARD_SECONDS = 2.0
"""How long a notification may take."""
_BROKER_SECONDS = 5


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


# ---- The schema ----------------------------------------------------------------------------------

SCHEMA: Final = Path(__file__).with_name("schema.txt")
"""What migrations make, as `described` says it: a test writes it anew when they make something else."""
_FACTS: Final = SCHEMA.with_name("facts.sql")
"""The query for all that decides what our tables hold and show."""
_OF_PARTITION: Final = re.compile(r"table (games_move_(?:untimed|[0-9]{4}_[0-9]{2})): ")
"""The partitions that are like the first one, in all but their bounds (`games.partitions`)."""
_FIRST: Final = 16_384
"""The first number of what PostgreSQL does not bring along."""
_HARMLESS: Final = (
    "(?i)^((log_.*|application_name|client_encoding|timezone|(maintenance_|autovacuum_)?work_mem|.*_timeout)=|"
    "session_replication_role=origin$|default_transaction_isolation=read committed$|"
    "synchronous_commit=(on|remote_apply)$|"
    r"search_path=(\"\$user\", *)?\"?{schema}\"?(, *pg_temp)?$)"
)
"""The settings of a database or role that change nothing of what a session sees and keeps."""
_ON: Final = re.compile(r"(?:table|column|constraint|trigger) (\w+)|index .* ON (?:\w+\.)?(\w+) USING ")
"""The table of a fact."""
_MORE: Final = re.compile(r"index CREATE INDEX \w+ ON [\w.]+ USING btree \((\w+( DESC)?(, )?)+\)$")
"""What may be added by hand: an index of columns, which only makes something faster."""
_TEXT: Final = re.compile(r"::(text|character varying)(\[\])?")
"""Casts of text, which PostgreSQL writes otherwise once it has read what it wrote, as in a restore."""
_LATER: Final = ("column ", "constraint ", "index ", "trigger ", "function ")
"""What a later release may have added."""


def refuse_older() -> None:
    """Raise CannotServe for a database of before 0.9.0, whose migrations are not those that are there now."""
    applied = {key for key in MigrationRecorder(connection).applied_migrations() if key[0] == "league"}
    if applied and not {*MigrationLoader(None).graph.root_nodes("league")} & applied:
        raise CannotServe(
            "The database was made by a version before 0.9.0, which cannot be upgraded; it is not changed. "
            "Use the version that made it, or start with an empty database or another TREFOIL_DATA."
        )


def check_schema() -> None:
    """Raise CannotServe unless tables, keys, constraints and triggers are those of this release's models.

    What a later release has added is no fault, so that hosts can change to it one after the other. Nor are
    empty tables of apps that are not installed: rows in them would keep from removal what they name.
    """
    needed = {*SCHEMA.read_text().splitlines()}
    gone = _of_apps_taken_out(needed)
    if left := _with_rows(gone):
        raise CannotServe(
            f"There are rows in {left[0]}, a table of an app that is not installed: what they name could not "
            "be removed. Install the app again; to remove all that it has stored, run "
            "`manage.py migrate APP zero` before you take it out."
        )
    if missing := _differences(needed, gone):
        raise CannotServe(
            f"The database is migrated, but is not as this release needs it. There should be {missing[0]}"
            f"{f', and {len(missing) - 1} more differences' * (len(missing) > 1)}. It was made by another "
            "release with migrations of the same names, or changed by hand. Use the release that made it, or "
            "restore a backup that fits this one."
        )


def schema_differences() -> Sequence[str]:
    """Return what should be in the database, and "no" with what should not."""
    needed = {*SCHEMA.read_text().splitlines()}
    return _differences(needed, _of_apps_taken_out(needed))


def _differences(needed: Set[str], taken_out: Mapping[str, Set[str]]) -> Sequence[str]:
    gone = {fact for facts in taken_out.values() for fact in facts}
    stored, needed = described() - gone, needed - gone
    for made in filter(None, map(_OF_PARTITION.match, stored)):
        needed |= {
            fact.replace("games_move_before", made[1]) for fact in needed if "games_move_before" in fact
        }
    more = sorted(fact for fact in stored - needed if not _MORE.match(fact))
    if more and _is_of_a_later_release():
        more = [fact for fact in more if not fact.startswith(_LATER)]
    return [*sorted(needed - stored), *(f"no {fact}" for fact in more)]


def described() -> set[str]:
    """Return all that decides what our tables hold and show, one sentence for each fact.

    Definitions are given by PostgreSQL, with nothing that it doesn't check or do in any other way.
    """
    tables = installed_tables()
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(current_schema(), '')")
        harmless = _HARMLESS.format(schema=re.escape(cursor.fetchone()[0]))
        cursor.execute(_FACTS.read_text(), {"tables": tables, "harmless": harmless, "first": _FIRST})
        return {" ".join(_TEXT.sub("", fact).split()) for (fact,) in cursor.fetchall()}


def installed_tables() -> list[str]:
    """Return the tables of all installed apps."""
    return [model._meta.db_table for model in apps.get_models(include_auto_created=True)]


def _of_apps_taken_out(facts: Set[str]) -> Mapping[str, Set[str]]:
    """Return the facts of tables whose app is not installed, and of what their triggers call, by table."""
    installed, gone = {*installed_tables()}, defaultdict[str, set[str]](set)
    for fact in facts:
        table = next(filter(None, found.groups()), "") if (found := _ON.match(fact)) else ""
        if table and table not in installed and not table.startswith("games_move"):
            called = re.search(r"EXECUTE FUNCTION (\w+\()", fact)
            gone[table] |= {fact, *(each for each in facts if called and f"function {called[1]}" in each)}
    return gone


def _with_rows(tables: Iterable[str]) -> Sequence[str]:
    """Return those of tables that have rows."""
    with connection.cursor() as cursor:
        there = sorted({*tables} & {*connection.introspection.table_names(cursor)})
        if not there:
            return []
        cursor.execute(" UNION ALL ".join(f"(SELECT '{table}' FROM {table} LIMIT 1)" for table in there))
        return [table for (table,) in cursor.fetchall()]


def _is_of_a_later_release() -> bool:
    known = MigrationLoader(None).disk_migrations
    return not {*MigrationRecorder(connection).applied_migrations()} <= {*known}


# ---- Rows of nothing ------------------------------------------------------------------------------

_MOST: Final = 200
_ALONE: Final = """
(SELECT DISTINCT {number}, {column}::text FROM {table} AS its WHERE {column} IS NOT NULL
AND NOT EXISTS (SELECT FROM {named} AS other WHERE other.{key} = its.{column}) LIMIT {most})
"""


def rows_of_nothing() -> Iterator[str]:
    """Yield rows that name others which are not there: with its triggers off the database takes any."""
    fields = [
        field
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey)
    ]
    quoted = connection.ops.quote_name
    alone = [
        _ALONE.format(
            number=number,
            column=quoted(field.column),
            table=quoted(field.model._meta.db_table),
            named=quoted(field.related_model._meta.db_table),
            key=quoted(str(field.target_field.column)),
            most=_MOST,
        )
        for number, field in enumerate(fields)
    ]
    with connection.cursor() as cursor:
        cursor.execute("UNION ALL".join(alone))
        for number, pk in cursor.fetchall():
            row, name = fields[number].model._meta.verbose_name, fields[number].name
            yield f"{row}: it has rows of {name} {pk}, which is not there"


# ---- The role of the service: it owns nothing, and can only add to logs --------------------------

# Triggers of statements refuse changes of logs. They can be told to ignore that, but only for a session that
# may change the table at all. Partitions are written to by way of the log.
_LOGS: Final = """
SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
WHERE NOT tgisinternal AND tgtype & 1 = 0 AND tgtype & 8 <> 0 ORDER BY 1
"""
_GRANTS: Final = """
GRANT USAGE ON SCHEMA public TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
REVOKE UPDATE, DELETE ON {logs} FROM {role};
"""


@transaction.atomic
def grant(role: str) -> None:
    """Give an existing role what the service needs of the tables that there are, and no more."""
    with connection.cursor() as cursor:
        cursor.execute(_LOGS)
        logs = ", ".join(table for (table,) in cursor.fetchall())
        cursor.execute(_GRANTS.format(role=connection.ops.quote_name(role), logs=logs))


# ---- Making it ready -----------------------------------------------------------------------------

# Any number that nothing else in the database locks.
_MIGRATING = 7_366_051
TERMINAL: Final = "terminal"
"""The argument by which somebody reads the output, and nothing keeps it."""


def prepare(*, terminal: bool) -> None:
    """Check database and broker, migrate, and make the first club, which is told on the standard output.

    Its password is told to a terminal alone: any other output may be kept. Raises CannotServe.
    """
    check()
    with _only_one():
        try:
            migrate()
        except ProgrammingError as error:
            raise CannotServe(
                f"The database cannot be migrated: {error}\n"
                "Run `manage.py migrate` as the owner of its tables, and then `manage.py grant ROLE`."
            ) from error
        if "first_club" in get_commands():
            call_command("first_club", terminal=terminal)


def migrate() -> None:
    """Migrate the database; several machines may start at once, on an empty one.

    Raises CannotServe where it is not as this release needs it then.
    """
    with _only_one():
        refuse_older()
        call_command("migrate", verbosity=0)
    check_schema()


@contextmanager
def _only_one() -> Iterator[None]:
    """Wait until no other machine prepares the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATING])


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")
    try:
        # A pooler would give the lock to others.
        environment.connect_directly()
        with needing_files():
            django.setup()
            prepare(terminal=TERMINAL in sys.argv)
    except (CannotServe, BadSetting) as refusal:
        sys.stdout.write(f"{refusal}\n")
        sys.exit(1)
