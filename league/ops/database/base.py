"""The database backend of the settings: each wait for an answer has a time limit, kept by the client.

The server's own `statement_timeout` doesn't help where the server or the network has stopped.
"""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property, partial
from itertools import accumulate
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import Buffer, PQGen
from psycopg.adapt import AdaptersMap, Loader
from psycopg.errors import Diagnostic, FeatureNotSupported, InFailedSqlTransaction, _WaitTimeout
from psycopg.pq import Format, TransactionStatus
from psycopg.rows import tuple_row
from psycopg.types.datetime import DateLoader, IntervalLoader
from psycopg.types.string import TextLoader

from league.ops import environment

Answer = TypeVar("Answer")
_INTERVAL = 0.1
# How many times as long as a statement a transaction may be idle before the server ends it.
_IDLE = 5
# A commit whose wait for standbys is cancelled is answered as done, after a warning of this function, whose
# text depends on the server's language. https://www.postgresql.org/docs/current/warm-standby.html
_WAITS_FOR_STANDBYS: Final = "SyncRepWaitForLSN"


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when the server takes too long.

    That is longer than DATABASE_SECONDS (0 is no limit), or than the deadline of what the thread does. A
    commit that did not wait for standbys, as it should have, is an error: a failover could lose it.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._seconds = environment.number("DATABASE_SECONDS", 0) or None
        self._cancelled_waits: list[str] = []
        self.add_notice_handler(partial(_note_cancelled_wait, self._cancelled_waits))

    def wait(self, gen: PQGen[Answer], interval: float = _INTERVAL, timeout: float | None = None) -> Answer:
        """Return the server's answer; raise `psycopg.OperationalError` where there is none in time."""
        limits = [limit for limit in (self._seconds, _left()) if limit is not None]
        seconds = min(limits, default=None)
        self._cancelled_waits.clear()
        try:
            answer = super().wait(gen, interval, timeout or seconds)
        except _WaitTimeout as error:
            if timeout is not None:
                raise
            self.close()
            raise psycopg.OperationalError(
                f"The database did not answer in {seconds:.3g} seconds."
            ) from error
        except psycopg.InternalError as error:
            if error.sqlstate:
                raise
            self.close()  # the server has not said it, but its messages were not those that psycopg expects
            raise psycopg.OperationalError(str(error)) from error
        if self._cancelled_waits:
            raise psycopg.OperationalError(self._cancelled_waits.pop())
        return answer

    def commit(self) -> None:
        """Commit the transaction; raise `psycopg.Error` where that would undo it, for something in it failed.

        PostgreSQL answers such a commit with another tag, but without an error.
        """
        failed = self.info.transaction_status == TransactionStatus.INERROR
        super().commit()
        if failed:
            raise InFailedSqlTransaction("The transaction was undone, because a statement in it had failed.")

    @cached_property
    def _planning(self) -> psycopg.Cursor[tuple[Any, ...]]:
        """The cursor of all statements that are planned once: to make one costs as much as to send them."""
        return psycopg.Cursor(self, row_factory=tuple_row)

    def rows(self, sql: str, given: Mapping[str, str | None]) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that the server plans once, if the settings allow it.

        Where its plan gives other columns than the tables now, it is an error, and the connection is closed.
        """
        try:
            return self._planning.execute(sql, given, prepare=True).fetchall()
        except FeatureNotSupported:
            self.close()
            raise


def _note_cancelled_wait(cancelled: list[str], notice: Diagnostic) -> None:
    """Keep the sentence of a warning that a commit did not wait for standbys."""
    if notice.source_function == _WAITS_FOR_STANDBYS:
        cancelled[:] = [str(notice.message_primary)]


_end: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Give the block and its waits for the database so many seconds, or what an outer block has left."""
    end = time.monotonic() + seconds
    before = _end.get()
    token = _end.set(end if before is None else min(before, end))
    try:
        yield
    finally:
        _end.reset(token)


def _left() -> float | None:
    """Return the seconds that are left, None without a deadline; at least a moment."""
    end = _end.get()
    return None if end is None else max(end - time.monotonic(), 0.001)


# ---- Values that Python doesn't have --------------------------------------------------------------

# PostgreSQL holds more dates, intervals and JSON than Python, and Python dates that no time zone and no sum
# can move. The service writes none of these, but whoever owns the database can, and rows of earlier releases
# may have them: such a value is read as the nearest one, so that one row stops nobody from reading, and is
# found to be another one than it should be.
_TIMES: Final = (datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC))
_DATES: Final = (date(2, 1, 1), date(9998, 12, 31))
_INTERVALS: Final = (timedelta(days=-300_000), timedelta(days=300_000))
NEAREST: Final = (*_TIMES, *_DATES, *_INTERVALS)
"""What is read in place of values beyond."""
_DEEPEST: Final = 200
_DIGITS: Final = 4000
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
_UNREADABLE: Final = '"more than can be read"'


def _nearest(loader: Any, nearest: tuple[Any, Any]) -> type[Loader]:
    """Return a loader that gives the nearest value, the first or the last, for what is beyond them."""

    class Nearest(loader):  # type: ignore[misc]
        def load(self, data: Buffer) -> Any:
            try:
                return min(max(super().load(data), nearest[0]), nearest[1])
            except (psycopg.DataError, OverflowError):
                text = bytes(data)
                return nearest[not (text.startswith(b"-") or text.endswith(b"BC"))]

    return Nearest


class _JsonText(TextLoader):
    """The text of a JSON value, as Django wants it."""

    def load(self, data: Buffer) -> Any:
        text = super().load(data)
        return _UNREADABLE if len(text) > 2 * _DEEPEST and _is_too_much(str(text)) else text


def _is_too_much(text: str) -> bool:
    if len(text) >= _DIGITS and re.search(f"[0-9]{{{_DIGITS}}}", text):
        return True
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    found = (each for each in _BRACKETS.findall(text) if len(each) == 1)
    return max(accumulate(1 if each in "[{" else -1 for each in found)) > _DEEPEST


@cache
def _adapters(known: AdaptersMap) -> AdaptersMap:
    """Return Django's adapters with the loaders from above."""
    adapters = AdaptersMap(known)
    times: Any = known.get_loader(known.types["timestamptz"].oid, Format.TEXT)
    adapters.register_loader("timestamptz", _nearest(times, _TIMES))
    adapters.register_loader("date", _nearest(DateLoader, _DATES))
    adapters.register_loader("interval", _nearest(IntervalLoader, _INTERVALS))
    adapters.register_loader("jsonb", _JsonText)
    return adapters


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's backend, with our connections."""

    Database: Any = SimpleNamespace(**{**vars(psycopg), "connect": Connection.connect})

    def get_connection_params(self) -> dict[str, Any]:
        """Return psycopg's parameters, with warnings, and limits for clients that hang or have left.

        A pooler in transaction mode refuses such options. Those of the settings win.
        """
        given: dict[str, Any] = super().get_connection_params()
        given["context"] = _adapters(given["context"])
        if not self.settings_dict.get("DIRECT"):
            seconds = environment.number("DATABASE_SECONDS", 0)
            limits = {"statement_timeout": seconds, "idle_in_transaction_session_timeout": seconds * _IDLE}
            options = [f"-c {name}={limit}s" for name, limit in limits.items()]
            # A warning says that a commit did not wait for standbys.
            ours = ["-c client_min_messages=notice", *options, given.get("options")]
            given["options"] = " ".join(filter(None, ours))
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
