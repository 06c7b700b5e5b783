"""Lines of the log as text."""

from typing import Any

import pytest
import structlog

from league.ops import logs

_LINE = {"timestamp": "2026-11-23T00:57:45.237054Z", "level": "info", "event": "done", "logger": "league.a"}


@pytest.mark.parametrize(
    "said",
    [
        {"code": 304, "ip": "127.0.0.1", "request": "GET /a/?b=c", "user_id": None, "rest": ["a"]},
        {"b": "", "a": "\u00e4'", "event": "an event with a name of more than thirty letters"},
        {"level": "warning", "exception": "Traceback:\nlines"},
        {"logger_name": "a"},
        {"stack": "Stack:\nlines", "a": 1.5},
    ],
    ids=["request", "quotes", "exception", "name", "stack"],
)
def test_a_line_is_written_as_the_library_writes_it(said: dict[str, Any]) -> None:
    theirs = structlog.dev.ConsoleRenderer(colors=False)(None, "", {**_LINE, **said})
    assert logs.as_text(None, "", {**_LINE, **said}) == theirs


def test_a_line_without_the_usual_names_is_written_as_well() -> None:
    theirs = structlog.dev.ConsoleRenderer(colors=False)(None, "", {"event": "done"})
    assert logs.as_text(None, "", {"event": "done"}) == theirs
