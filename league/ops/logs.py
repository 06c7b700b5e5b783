"""Structured logging, one line for each event, as text or JSON; and the line for each request."""

import errno
import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
import structlog
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject
from kombu.exceptions import OperationalError as BrokerError
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars
from structlog.typing import EventDict, Processor

from league.ops.folders import TOP

_SLASH: Final = r"(?:/|%2[fF])"
_TOKEN: Final = re.compile(
    rf"((?:account{_SLASH}forgotten|emails{_SLASH}stop|notices{_SLASH}(?:stop|address)"
    rf"|calendars|challenge|coming|door|invitations|kiosks|seats){_SLASH})"
    r"[^&\s\"\\]+"
)
"""Paths with a secret token: of emails, calendars, answers, seats, kiosks; also as parameters of log-in."""
_FIRST: Final = dict.fromkeys(("timestamp", "level", "logger", "event"))
"""The keys with which every line begins."""
_PLAIN: Final = re.compile(r"[^\s\"=\\]*").fullmatch
"""What a line of text says without quotation marks, if it can be printed."""

# PostgreSQL refuses what a file system that is read-only doesn't let it do as not permitted.
_AWAY: Final = (
    *(OperationalError, InterfaceError, BrokerError),
    *(psycopg.OperationalError, psycopg.InterfaceError),
    *(psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction),
)
_COLLIDED: Final = psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure
_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}

_SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def write(logger: logging.Logger, level: int, event: str, said: Mapping[str, Any]) -> None:
    """Write a line as structlog would, past its chain of processors."""
    if not logger.isEnabledFor(level):
        return
    now = datetime.now(UTC).replace(tzinfo=None)  # noqa: TID251 - a line of this host's log
    line = {
        **said,
        "event": event,
        "logger": logger.name,
        "level": logging.getLevelName(level).lower(),
        "timestamp": f"{now.isoformat(timespec='microseconds')}Z",
    }
    logger.handle(logger.makeRecord(logger.name, level, __file__, 0, line, (), None))


def is_away(error: BaseException | None) -> bool:
    """Return whether an error says that the database, the broker or the disk can't be used now."""
    given = error.__cause__ if isinstance(error, DatabaseError) and error.__cause__ else error
    return isinstance(given, _AWAY) or (isinstance(given, OSError) and given.errno in _NO_ROOM)


def has_collided(error: BaseException | None) -> bool:
    """Return whether a change was undone since it and another one waited for each other."""
    return isinstance(error, DatabaseError) and isinstance(error.__cause__, _COLLIDED)


def _in_one_line(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Say in a line that something is away, and where we noticed: that happens as often as it is tried."""
    given = event.get("exc_info")
    error = given[1] if isinstance(given, tuple) else sys.exception() if given is True else given
    if not (isinstance(error, BaseException) and is_away(error)):
        return event
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    ours = [f"{file.relative_to(TOP)}:{line}" for file, line in frames if file.is_relative_to(TOP)]
    del event["exc_info"]
    event["error"] = f"{type(error).__name__}: {error}".partition("\n")[0]
    event["where"] = ours[-1] if ours else None
    return event


class Formatter(structlog.stdlib.ProcessorFormatter):
    """Writes the lines of structlog and of other loggers alike, without the secret tokens of links.

    The library copies the record of each, for formatters that work on it after it; there are none here.
    """

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.msg, dict):
            line = str(self.processors[-1](None, "", dict(record.msg)))
        else:
            line = super().format(record)
        return _TOKEN.sub(r"\1…", line)


def one_line(record: logging.LogRecord) -> bool:
    """Let a record through as a warning without its traceback (a filter of logging).

    For what only says that a request was wrong, however often whoever sends it likes.
    """
    record.exc_info = record.exc_text = None
    record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def configuration(*, level: str, as_json: bool) -> dict[str, Any]:
    """Return Django's LOGGING, and configure structlog to write through it."""
    # No line names its thread or process; to look them up takes as long as making the record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            _in_one_line,
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"event": {"()": Formatter, **_formatter(as_json)}},
        "filters": {"one_line": {"()": lambda: one_line}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "event"}},
        # These repeat the line of the request, or log each request that we make ourselves.
        "loggers": {
            "django.request": {"level": "CRITICAL"},
            "django.server": {"level": "WARNING"},
            "django.security.DisallowedHost": {"filters": ["one_line"]},
            "httpx": {"level": "WARNING"},
            # It logs every glyph of every PDF.
            "fontTools": {"level": "WARNING"},
        },
        "root": {"handlers": ["console"], "level": level},
    }


def as_text(_logger: Any, _method: str, event: EventDict) -> str:
    """Return a line of the log as ``key=value``, and below it the traceback of an exception.

    That is logfmt, which collectors of logs read without a pattern. What is not plain is quoted as in JSON.
    """
    traceback = event.pop("exception", "")
    line = " ".join([f"{name}={_text(value)}" for name, value in {**_FIRST, **event}.items()])
    return f"{line}\n{traceback}" if traceback else line


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _:
            text = str(value)
            printable = text.isprintable()
            return text if printable and _PLAIN(text) else json.dumps(text, ensure_ascii=not printable)


def _formatter(as_json: bool) -> dict[str, Any]:
    last: Processor = structlog.processors.JSONRenderer() if as_json else as_text
    return {
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        "foreign_pre_chain": [*_SHARED, _in_one_line, structlog.processors.format_exc_info],
    }


# ---- The line of a request -----------------------------------------------------------------------

_LONGEST_ID: Final = 200
_NAMED: Final = re.compile(r"/(games|competitions?)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/")
"""What a request is about, by the id in its address."""
_FAILED: Final = "trefoil_failed"
"""The attribute of a request whose failure has its line already."""
_log = structlog.get_logger(__name__)
_lines = logging.getLogger(__name__)


class RequestLogMiddleware:
    """Writes a line when a request is answered, and names the request and what it is about in all before it.

    The web server has put the address of a trusted proxy's client in the place of the proxy's already.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        got_request_exception.connect(_failed)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        bind_contextvars(**_names(request))
        try:
            response = self.get_response(request)
            if not hasattr(request, _FAILED):
                _finished(request, response.status_code, get_contextvars())
            return response
        finally:
            clear_contextvars()


def _finished(request: HttpRequest, code: int, names: Mapping[str, Any]) -> None:
    level = logging.ERROR if code >= 500 else logging.INFO
    write(_lines, level, "request_finished", {"code": code, **names, **_about(request)})


def _names(request: HttpRequest) -> dict[str, Any]:
    """Return what all lines of a request have: its own name, who sent it, and what it is about."""
    given = request.META
    named = _NAMED.search(request.path_info)
    return {
        "request_id": given.get("HTTP_X_REQUEST_ID", "")[:_LONGEST_ID] or str(uuid4()),
        "ip": given.get("REMOTE_ADDR"),
        **({named[1].rstrip("s"): named[2]} if named else {}),
    }


def _failed(request: HttpRequest, **_: Any) -> None:
    """Write the line of a request that an exception ended, with the exception."""
    if not isinstance(sys.exception(), Http404 | PermissionDenied) and not hasattr(request, _FAILED):
        setattr(request, _FAILED, True)
        code = 503 if is_away(sys.exception()) else 500
        _log.exception("request_failed", code=code, **_about(request))


def _about(request: HttpRequest) -> dict[str, Any]:
    """Return method and address of a request, and the account that made it, where that was asked."""
    about = {"request": f"{request.method} {request.get_full_path()}"}
    user = vars(request).get("user")
    if isinstance(user, SimpleLazyObject):
        user = getattr(request, "_cached_user", None)
    return {**about, "user_id": str(user.pk)} if user and user.pk else about
