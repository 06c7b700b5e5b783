"""Checks that database and broker answer and are recent enough."""

from secrets import token_hex

from celery import current_app
from django.db import DatabaseError, OperationalError, connection
from kombu.exceptions import OperationalError as KombuError
from psycopg import Error

from league.ops import environment, folders
from league.ops.broker import Broker
from league.ops.postgres import OLDEST, Postgres
from league.ops.servers import CannotServe

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
