"""Checks that database and broker answer and are recent enough."""

from celery import current_app
from django.db import OperationalError, connection
from kombu.exceptions import OperationalError as KombuError

from league.ops.programs import OLDEST
from league.ops.servers import CannotServe

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
        raise CannotServe(_silent("database", error, "DATABASE_URL")) from error
    if int(version.partition(".")[0]) < OLDEST:
        raise CannotServe(
            f"The database is PostgreSQL {version}, and Trefoil needs {OLDEST} or later. "
            "Set DATABASE_URL to another server, or unset it to use the embedded one."
        )


def check_broker() -> None:
    """Raise CannotServe unless the broker answers."""
    with current_app.connection_for_write(connect_timeout=_BROKER_SECONDS) as link:
        try:
            link.ensure_connection(max_retries=1, timeout=_BROKER_SECONDS)
        except KombuError as error:
            raise CannotServe(_silent("broker", error, "CELERY_BROKER_URL")) from error


def _silent(what: str, error: Exception, variable: str) -> str:
    return f"The {what} does not answer. Check {variable}.\n{str(error).strip()}"
