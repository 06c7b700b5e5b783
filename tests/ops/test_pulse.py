"""Questions to a server, whether it still answers, that nobody waits for."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from league.ops.processes import Pulse


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    return Path("socket")


@contextmanager
def listening(address: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(address))
        server.listen()
        yield server


def answer(server: socket.socket, words: bytes) -> None:
    """Answer the question that was asked first, and close its connection."""
    connection, _ = server.accept()
    with connection:
        connection.recv(100)
        connection.sendall(words)


def test_questions_without_an_answer_are_counted_until_there_is_one(address: Path) -> None:
    with listening(address) as server:
        pulse = Pulse(address, b"how are you?", 0)
        for _ in range(2):
            server.accept()[0].close()
            pulse.feel()
        assert pulse.missed == 2
        answer(server, b"well")
        pulse.feel()
        assert pulse.missed == 0
        pulse.forget()


def test_a_server_that_nobody_can_reach_does_not_answer(address: Path) -> None:
    pulse = Pulse(address, b"how are you?", 0)
    pulse.feel()
    assert pulse.missed == 1
    pulse.forget()


def test_a_server_that_is_full_tells_nothing_of_itself(address: Path) -> None:
    with listening(address) as server:
        pulse = Pulse(address, b"how are you?", 0)
        pulse.missed = 2
        answer(server, b"no: full")
        pulse.feel(full=b"full")
        assert pulse.missed == 2
        pulse.forget()


def test_nothing_is_decided_before_its_time(address: Path) -> None:
    pulse = Pulse(address, b"how are you?", 60)
    pulse.feel()
    assert pulse.missed == 0
    pulse.forget()
