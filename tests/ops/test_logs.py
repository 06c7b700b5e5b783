"""Lines of the log."""

import errno
import json
import logging
import sys
from collections.abc import Iterator
from urllib.parse import quote
from uuid import UUID

import pytest
from django.db import OperationalError, ProgrammingError
from django.test import Client
from django.urls import URLPattern, reverse
from django.urls.converters import IntConverter
from psycopg import errors

from league.ops import logs
from league.urls import urlpatterns

FIRST = "timestamp=2026-11-24T12:00:00Z level=info logger=trefoil event=done"


def line(*, as_json: bool = False, **said: object) -> str:
    """Return the line of an event as the settings write it."""
    formatter = dict(logs.configuration(level="INFO", as_json=as_json)["formatters"]["event"])
    given = dict(pair.split("=") for pair in reversed(FIRST.split()))
    record = logging.makeLogRecord({"msg": {**said, **given}})
    return str(formatter.pop("()")(**formatter).format(record))


def test_of_text_begin_with_when_and_what_happened() -> None:
    assert line(code=200, request="GET / HTTP") == f'{FIRST} code=200 request="GET / HTTP"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", ""),
        (None, ""),
        (True, "true"),
        (False, "false"),
        ("plain/ä", "plain/ä"),
        ("a=b", '"a=b"'),
        ('say "yes"', r'"say \"yes\""'),
        ("back\\slash", r'"back\\slash"'),
        ("one\r\nlevel=error", r'"one\r\nlevel=error"'),
        ("\x1b[31m", r'"\u001b[31m"'),
        ("über alles", '"über alles"'),
        ("one\x85level=error", r'"one\u0085level=error"'),
        ("one\u2028level=error", r'"one\u2028level=error"'),
        ("\x9b31m", r'"\u009b31m"'),
        ("\u202edone", r'"\u202edone"'),
        ("\ud800", r'"\ud800"'),
    ],
)
def test_of_text_cannot_be_broken_by_what_they_say(value: object, text: str) -> None:
    assert line(said=value) == f"{FIRST} said={text}"


def test_of_text_have_the_traceback_below() -> None:
    assert line(exception="Traceback\n  here") == f"{FIRST}\nTraceback\n  here"


def wrapped(cause: Exception) -> Exception:
    """Return an error of psycopg as Django raises it."""
    error = ProgrammingError(str(cause))
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("no room\nHINT: none"),
        OSError(errno.ENOSPC, "no room"),
        errors.InsufficientPrivilege("no room: Read-only file system"),
        errors.ReadOnlySqlTransaction("no room"),
        wrapped(errors.InsufficientPrivilege("no room")),
        ConnectionError("no room"),
    ],
)
def test_of_a_disk_or_database_that_is_away_have_no_traceback(error: Exception) -> None:
    formatter = dict(logs.configuration(level="INFO", as_json=False)["formatters"]["event"])
    try:
        raise error
    except Exception:
        record = logging.LogRecord("trefoil", logging.ERROR, "", 0, "failed", (), sys.exc_info())
    said = str(formatter.pop("()")(**formatter).format(record))
    if isinstance(error, ConnectionError):
        assert "Traceback" in said
    else:
        assert "no room" in said and "where=tests/ops/test_logs.py:" in said
        assert "\n" not in said


@pytest.mark.parametrize("path", ["/clubs/a/", "/api/v1/rulesets/tally/"])
def test_of_a_request_without_a_database_are_one_with_its_status(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("no database\nHINT: none")

    formatter = dict(logs.configuration(level="INFO", as_json=False)["formatters"]["event"])
    caplog.handler.setFormatter(formatter.pop("()")(**formatter))
    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", fail)
    monkeypatch.setattr("api.views.games.rules.find", fail)
    assert Client(raise_request_exception=False).get(path).status_code == 503
    (said,) = caplog.text.splitlines()
    assert "code=503" in said and "no database" in said


@pytest.mark.parametrize("as_json", [False, True])
def test_have_no_secret_token_of_a_link(*, as_json: bool) -> None:
    said = line(as_json=as_json, request="GET /invitations/7f2a/", exception="at /kiosks/secret")
    assert "7f2a" not in said
    assert "secret" not in said


def addresses_with_tokens() -> Iterator[str]:
    for each in urlpatterns:
        if isinstance(each, URLPattern) and "token" in (names := each.pattern.converters):
            given = {
                name: 1 if isinstance(kind, IntConverter) else UUID(int=1) for name, kind in names.items()
            }
            yield reverse(str(each.name), kwargs={**given, "token": "secret"})


@pytest.mark.parametrize("address", sorted(addresses_with_tokens()))
def test_have_the_token_of_no_address(address: str) -> None:
    for request in (f"GET {address}", f"GET /account/login/?next={quote(address, safe='')}"):
        assert "secret" not in line(request=request)


def test_are_json_if_that_is_wanted() -> None:
    said = json.loads(line(as_json=True, request="GET /invitations/key?next=1", code=200))
    assert said["request"] == "GET /invitations/…"
    assert said["code"] == 200
