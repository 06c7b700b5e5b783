"""Whether the servers that the service needs answer, and whether they are recent enough."""

from celery import current_app
from django.db import OperationalError, connection
from kombu.exceptions import OperationalError as KombuError

from league.house.programs import OLDEST
from league.house.servers import CannotServe

_BROKER_SECONDS = 5


def check() -> None:
    """Return if database and broker can be used. Raises CannotServe with what to do."""
    check_database()
    check_broker()


def check_database() -> None:
    """Return if the database answers and is of a version that the schema can rely on. Raises CannotServe."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            (version,) = cursor.fetchone()
    except OperationalError as error:
        raise CannotServe(_silent("database", error, "DATABASE_URL")) from error
    if int(version.partition(".")[0]) < OLDEST:
        raise CannotServe(
            f"The database is PostgreSQL {version}, and Trefoil needs {OLDEST} or later. "
            "Name another server in DATABASE_URL, or leave that unset for the embedded one."
        )


def check_broker() -> None:
    """Return if the broker answers. Raises CannotServe."""
    with current_app.connection_for_write(connect_timeout=_BROKER_SECONDS) as link:
        try:
            link.ensure_connection(max_retries=1, timeout=_BROKER_SECONDS)
        except KombuError as error:
            raise CannotServe(_silent("broker", error, "CELERY_BROKER_URL")) from error


def _silent(what: str, error: Exception, variable: str) -> str:
    return f"The {what} does not answer. Look at {variable}.\n{str(error).strip()}"
