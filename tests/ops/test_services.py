"""Which command runs the embedded servers, and for how long."""

import errno
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.db import OperationalError

from league.ops import command
from league.ops.embedded import EmbeddedServers
from tests import patience


@pytest.fixture(autouse=True)
def _embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("DATABASE_URL", "CELERY_BROKER_URL"):
        monkeypatch.delenv(variable, raising=False)


def _answers(embedded: EmbeddedServers) -> list[bool]:
    return [server.answers() for server in embedded.servers]


def test_a_command_has_servers_while_it_runs(data: Path) -> None:
    embedded = EmbeddedServers(data)
    with embedded.used():
        assert _answers(embedded) == [True, True]
    assert _answers(embedded) == [False, False]


def test_a_command_beside_the_service_uses_its_servers_and_leaves_them_running(data: Path) -> None:
    service, command = EmbeddedServers(data), EmbeddedServers(data)
    with service.kept() as servers:
        assert [how for _, how in servers] == ["started", "started"]
        with command.used():
            assert _answers(command) == [True, True]
        assert _answers(service) == [True, True]


def test_servers_run_until_the_last_command_ends(data: Path) -> None:
    inside, seen = threading.Event(), list[bool]()

    def second() -> None:
        with EmbeddedServers(data).used():
            inside.set()
            threading.Event().wait(0.5)
            seen.extend(_answers(EmbeddedServers(data)))

    with ExitStack() as first:
        first.enter_context(EmbeddedServers(data).used())
        other = threading.Thread(target=second)
        other.start()
        assert inside.wait(patience.SECONDS)
    other.join()
    assert seen == [True, True]
    assert _answers(EmbeddedServers(data)) == [False, False]


def test_the_service_waits_for_a_command_that_started_the_servers(data: Path) -> None:
    inside = threading.Event()

    def service() -> None:
        with EmbeddedServers(data).kept():
            inside.set()

    with ExitStack() as command:
        command.enter_context(EmbeddedServers(data).used())
        other = threading.Thread(target=service)
        other.start()
        assert not inside.wait(0.3)
    assert inside.wait(patience.SECONDS)
    other.join()


def test_configured_servers_are_not_embedded(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/trefoil")
    assert [server.name for server in EmbeddedServers(data).servers] == ["broker"]
    monkeypatch.setenv("CELERY_BROKER_URL", "amqp://broker.example")
    assert EmbeddedServers(data).servers == []


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left"), OperationalError("No space left\nHINT: free some")]
)
def test_a_command_that_a_full_disk_stops_says_so_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def stop(_: object) -> None:
        raise error

    monkeypatch.setattr(command, "execute_from_command_line", stop)
    with pytest.raises(SystemExit, match=r"^This could not be done: .*No space left$"):
        command.run(["manage.py", "check"])
