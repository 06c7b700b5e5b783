"""The database backend of the settings: each wait for an answer has a time limit, kept by the client.

The server's own `statement_timeout` doesn't help where the server or the network has stopped.
"""

import re
import time
from collections.abc import Mapping
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg import pq
from psycopg.abc import PQGen
from psycopg.adapt import Transformer
from psycopg.errors import Diagnostic, _WaitTimeout, error_from_result
from psycopg.generators import execute

from league.ops import deadline, environment

Answer = TypeVar("Answer")
_INTERVAL = 0.1
# How many times as long as a statement a transaction may be idle before the server ends it.
_IDLE = 5
# A commit whose wait for standbys is cancelled is answered as done, after a warning of this function, whose
# text depends on the server's language. https://www.postgresql.org/docs/current/warm-standby.html
_WAITS_FOR_STANDBYS: Final = "SyncRepWaitForLSN"
_PARAMETER: Final = re.compile(r"%(?:\((\w+)\)s|(%))")


@lru_cache(maxsize=200)
def _numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a statement with numbered parameters in place of named ones, and their names in order."""
    names = tuple(dict.fromkeys(name for name, _ in _PARAMETER.findall(sql) if name))
    numbered = _PARAMETER.sub(lambda found: found[2] or f"${names.index(found[1]) + 1}", sql)
    return numbered.encode(), names


def _encoded(value: str | None) -> bytes | None:
    encoded = None if value is None else value.encode()
    if encoded and 0 in encoded:
        raise psycopg.DataError("A text of the database can't contain NUL.")  # libpq would stop there
    return encoded


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when the server takes too long.

    That is longer than DATABASE_SECONDS (0 is no limit), or than the deadline of what the thread does. A
    commit that did not wait for standbys, as it should have, is an error: a failover could lose it.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cancelled_waits: list[str] = []
        self._plans: dict[str, bytes] = {}
        """The names of statements that the server has planned, by their text."""
        self._last_plan = 0
        self.add_notice_handler(partial(_note_cancelled_wait, self._cancelled_waits))

    def wait(self, gen: PQGen[Answer], interval: float = _INTERVAL, timeout: float | None = None) -> Answer:
        """Return the server's answer; raise `psycopg.OperationalError` where there is none in time."""
        seconds = _patience()
        try:
            answer = super().wait(gen, interval, timeout or seconds)
        except _WaitTimeout as error:
            if timeout is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError(
                f"The database did not answer in {seconds:.3g} seconds."
            ) from error
        if self._cancelled_waits:
            raise psycopg.OperationalError(self._cancelled_waits.pop())
        return answer

    def rows(self, sql: str, given: Mapping[str, str | None]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that the server plans once, if the settings allow it."""
        with self.lock:
            return self.wait(self._rows(sql, given))

    # Below psycopg's cursors, which cost as much for a statement of a few parameters as sending it does.
    def _rows(self, sql: str, given: Mapping[str, str | None]) -> PQGen[list[tuple[Any, ...]]]:
        yield from self._start_query()
        numbered, names = _numbered(sql)
        parameters = [_encoded(given[name]) for name in names]
        if self.prepare_threshold is None:
            self.pgconn.send_query_params(numbered, parameters)
        else:
            plan = self._plans.get(sql) or (yield from self._planned(sql, numbered))
            self.pgconn.send_query_prepared(plan, parameters)
        result = (yield from execute(self.pgconn))[0]
        if result.status != pq.ExecStatus.TUPLES_OK:
            self._plans.pop(sql, None)  # it may be a plan that can't be used any more
            raise error_from_result(result, self.info.encoding)
        if not result.ntuples:
            return []
        reads = Transformer(self)
        reads.set_pgresult(result)
        return reads.load_rows(0, result.ntuples, tuple)

    def _planned(self, sql: str, numbered: bytes) -> PQGen[bytes]:
        self._last_plan += 1
        plan = f"trefoil_{self._last_plan}".encode()
        self.pgconn.send_prepare(plan, numbered)
        result = (yield from execute(self.pgconn))[0]
        if result.status != pq.ExecStatus.COMMAND_OK:
            raise error_from_result(result, self.info.encoding)
        self._plans[sql] = plan
        return plan

    def _deallocate(self, name: bytes | None) -> PQGen[None]:
        """Drop the plan of a name, or all with None, as psycopg does once a transaction was undone."""
        if name is None:
            self._plans.clear()
        yield from super()._deallocate(name)


def _note_cancelled_wait(cancelled: list[str], notice: Diagnostic) -> None:
    """Keep the sentence of a warning that a commit did not wait for standbys."""
    if notice.source_function == _WAITS_FOR_STANDBYS:
        cancelled[:] = [str(notice.message_primary)]


def _patience() -> float | None:
    """Return how many seconds to wait for an answer now, None for ever."""
    limits = (environment.number("DATABASE_SECONDS", 0) or None, deadline.left())
    return min((limit for limit in limits if limit is not None), default=None)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's backend, with our connections."""

    Database: Any = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})

    def get_connection_params(self) -> dict[str, Any]:
        """Return psycopg's parameters, with limits that the server keeps for clients that hang or have left.

        A pooler in transaction mode refuses such options.
        """
        given: dict[str, Any] = super().get_connection_params()
        seconds = environment.number("DATABASE_SECONDS", 0)
        if seconds and not self.settings_dict.get("DIRECT"):
            limits = {"statement_timeout": seconds, "idle_in_transaction_session_timeout": seconds * _IDLE}
            options = [f"-c {name}={limit}s" for name, limit in limits.items()]
            given["options"] = " ".join([*filter(None, [given.get("options")]), *options])
        return given

    def direct_parameters(self) -> dict[str, Any]:
        """Return psycopg's parameters of a connection to PostgreSQL itself, for what a pooler can't pass on.

        That is what lasts longer than a transaction, such as LISTEN.
        """
        direct = {**self.settings_dict, **(self.settings_dict.get("DIRECT") or {}), "DIRECT": None}
        return type(self)(direct, self.alias).get_connection_params()

    def rows(self, sql: str, given: Mapping[str, str | None]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that the server plans once.

        A connection that is known to be broken is replaced.
        """
        if self.connection is not None and self.connection.closed:
            self.close()
        self.ensure_connection()
        self.validate_thread_sharing()
        self.validate_no_broken_transaction()
        with self.wrap_database_errors:
            if not self.queries_logged:
                return self.connection.rows(sql, given)  # type: ignore[no-any-return]
            began = time.monotonic()
            try:
                return self.connection.rows(sql, given)  # type: ignore[no-any-return]
            finally:
                self.queries_log.append({"sql": sql, "time": f"{time.monotonic() - began:.3f}"})
