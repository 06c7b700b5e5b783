"""What is done to the database before the service starts."""

import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection
from pytest_django import Settings

from league.ops import prepare, processes, up


@pytest.mark.django_db
def test_machines_that_start_at_once_prepare_the_database_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone: list[tuple[str, bool]] = []

    def called(command: str, **_: object) -> None:
        with connection.cursor() as cursor:
            own = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
            cursor.execute(own)
            alone.append((command, cursor.fetchone() == (1,)))

    monkeypatch.setattr(prepare, "call_command", called)
    monkeypatch.setattr(prepare, "check", lambda: None)
    prepare.prepare(terminal=False)
    assert alone == [("migrate", True), ("first_club", True)]


@pytest.mark.django_db
def test_the_first_password_is_told_to_a_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prepare, "check", lambda: None)
    monkeypatch.setattr(prepare, "migrate", lambda: None)
    settings.DATA_DIR, file = tmp_path, tmp_path / "first_password"
    prepare.prepare(terminal=False)
    assert f"in the file {file} " in (kept := capsys.readouterr().out) and file.read_text() not in kept
    prepare.prepare(terminal=True)
    assert file.read_text() in capsys.readouterr().out


class _Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("output", "contained", "told"),
    [(_Terminal, False, True), (_Terminal, True, False), (StringIO, False, False)],
    ids=["terminal", "terminal-of-a-container", "file"],
)
def test_output_that_may_be_kept_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, output: type[StringIO], contained: bool, told: bool
) -> None:
    commands: list[list[str]] = []

    def start(command: list[str], **_: object) -> object:
        commands.append(command)
        return SimpleNamespace(communicate=lambda: (b"welcome", b""), returncode=0)

    monkeypatch.setattr(processes, "start", start)
    monkeypatch.setattr(up, "_is_contained", lambda: contained)
    monkeypatch.setattr(sys, "stdout", output())
    assert up.prepared() == "welcome"
    assert [prepare.TERMINAL in command for command in commands] == [told]
