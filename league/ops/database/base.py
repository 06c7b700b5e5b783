"""The database backend of the settings: each wait for an answer has a time limit, kept by the client.

The server's own `statement_timeout` doesn't help where the server or the network has stopped.
"""

from types import SimpleNamespace
from typing import Any, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout

from league.ops import environment

Answer = TypeVar("Answer")
_INTERVAL = 0.1


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when the server takes longer than DATABASE_SECONDS; 0 is no limit."""

    def wait(self, gen: PQGen[Answer], interval: float = _INTERVAL, timeout: float | None = None) -> Answer:
        """Return the server's answer; raise `psycopg.OperationalError` where there is none in time."""
        seconds = environment.number("DATABASE_SECONDS", 0)
        try:
            return super().wait(gen, interval, timeout or seconds or None)
        except _WaitTimeout as error:
            if timeout is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(f"The database did not answer in {seconds} seconds.") from error


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's backend, with our connections."""

    Database: Any = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})
