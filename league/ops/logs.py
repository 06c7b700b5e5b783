"""Structured logging, one line for each event, as text or JSON."""

import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor

_SLASH: Final = r"(?:/|%2[fF])"
_MAY_BE_PATH: Final = re.compile("[/%]").search
_TOKEN: Final = re.compile(
    rf"((?:account{_SLASH}forgotten|notices{_SLASH}(?:stop|address)|invitations|kiosks){_SLASH})[^&\s]+"
)
"""Paths that end with a secret token, of emails and kiosks, also as parameters of the log-in page."""

_SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def without_tokens(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Return the line of the log without the secret tokens of links in emails (a processor of structlog)."""
    return {
        # Most values are no addresses, and searching them takes as long as writing the line.
        name: _TOKEN.sub(r"\1…", value) if isinstance(value, str) and _MAY_BE_PATH(value) else value
        for name, value in event.items()
    }


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


class Formatter(structlog.stdlib.ProcessorFormatter):
    """Writes the lines of structlog and of other loggers alike.

    The library copies the record of each, for formatters that work on it after it; there are none here.
    """

    def format(self, record: logging.LogRecord) -> str:
        if not isinstance(record.msg, dict):
            return super().format(record)
        line: Any = dict(record.msg)
        for process in self.processors[1:]:  # the first removes what the library would add
            line = process(None, "", line)
        return str(line)


def configuration(*, level: str, json: bool) -> dict[str, Any]:
    """Return Django's LOGGING, and configure structlog to write through it."""
    # No line names its thread or process; to look them up takes as long as making the record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"event": {"()": Formatter, **_formatter(json)}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "event"}},
        # These repeat the line of the request, or log each request that we make ourselves.
        "loggers": {
            "django.request": {"level": "ERROR"},
            "django.server": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            # It logs every glyph of every PDF.
            "fontTools": {"level": "WARNING"},
        },
        "root": {"handlers": ["console"], "level": level},
    }


_LOGFMT: Final = structlog.processors.LogfmtRenderer(
    key_order=("timestamp", "level", "logger", "event"), bool_as_flag=False
)


def as_text(logger: Any, method: str, event: EventDict) -> str:
    """Return a line of the log as ``key=value``, and below it the traceback of an exception.

    That is logfmt, which collectors of logs read without a pattern.
    """
    traceback = event.pop("exception", "")
    line = _LOGFMT(logger, method, event)
    return f"{line}\n{traceback}" if traceback else line


def _formatter(json: bool) -> dict[str, Any]:
    last: Processor = structlog.processors.JSONRenderer() if json else as_text
    return {
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, without_tokens, last],
        "foreign_pre_chain": [*_SHARED, structlog.processors.format_exc_info],
    }
