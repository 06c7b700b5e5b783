"""`manage.py up` as its users see it."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import httpx
import psutil

from league.ops import folders, processes

_OURS = re.compile(r"TREFOIL_TEST_DATA|DJANGO_SETTINGS_MODULE|DATABASE_URL|CELERY_BROKER_URL|PYTEST.*")
_SECONDS = 180


def _manage(data: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Run manage.py as a user would, outside of any test run, on a data folder."""
    environment = {name: value for name, value in os.environ.items() if not _OURS.fullmatch(name)}
    return subprocess.Popen(
        [sys.executable, str(folders.TOP / "manage.py"), *arguments],
        env={**environment, "TREFOIL_DATA": str(data), "WEB_PROCESSES": "1", "WORKER_PROCESSES": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Up:
    """A running `manage.py up`."""

    def __init__(self, data: Path) -> None:
        self.process = _manage(data, "up", "--port", "0")
        self.said = ""
        self._lines: SimpleQueue[str] = SimpleQueue()
        # A full pipe would stop the whole service, so it is read all the time.
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def hear(self, pattern: str) -> str:
        """Read on until a line fits; return what its group, or the whole pattern, matches."""
        while line := self._lines.get(timeout=_SECONDS):
            self.said += line
            if found := re.search(pattern, line):
                return found[found.re.groups]
        raise AssertionError(f"{pattern} was never said:\n{self.said}")

    def family(self) -> list[psutil.Process]:
        """Return all processes of the service."""
        top = psutil.Process(self.process.pid)
        return [top, *top.children(recursive=True)]

    def part(self, word: str) -> psutil.Process:
        """Return the first process with this word on its command line."""
        return next(each for each in self.family() if word in each.cmdline())

    def has(self, word: str) -> bool:
        """Return whether a process with this word on its command line runs."""
        return any(word in each.cmdline() for each in self.family())

    def server(self, program: str) -> psutil.Process:
        """Return an embedded server by the name of its program."""
        return next(each for each in psutil.Process(self.process.pid).children() if each.name() == program)

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit code and what was said meanwhile."""
        self.process.send_signal(number)
        code = self.process.wait(_SECONDS)
        self._reader.join(_SECONDS)
        return code, "".join(iter(self._lines.get, ""))


@contextmanager
def _up(data: Path) -> Iterator[Up]:
    up = Up(data)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.end(signal.SIGTERM)


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=20).status_code == 200
    except httpx.TransportError:
        return False


def _all_gone(family: list[psutil.Process]) -> bool:
    return processes.eventually(lambda: not any(each.is_running() for each in family), 20)


def _output_of(data: Path, *arguments: str) -> str:
    process = _manage(data, *arguments)
    said, _ = process.communicate(timeout=_SECONDS)
    return f"{process.returncode} {said}"


_MAKE = "from league.models import Account; Account.objects.create_user('anna')"
_FIND = "from league.models import Account; print(Account.objects.filter(username='anna').count())"


def test_data_survives_a_kill_and_a_stop_leaves_no_process(data: Path) -> None:
    with _up(data) as up:
        address = up.hear(r"READY (http://\S+/)")
        assert httpx.get(address).status_code in {200, 404}
        assert (data / "address").read_text() + "/" == address
        assert _output_of(data, "shell", "-c", _MAKE).startswith("0 ")
        family = up.family()
        up.end(signal.SIGKILL)
        # Elsewhere than on Linux the embedded servers live on and are adopted.
        assert _all_gone(family if sys.platform == "linux" else family[:1])
    with _up(data) as up:
        up.hear("READY")
        assert "1\n" in _output_of(data, "shell", "-c", _FIND)
        family = up.family()
        code, said = up.end(signal.SIGINT)
        assert (code, said.splitlines()[-1].split()) == (0, ["up", "|", "stopped"])
        assert _all_gone(family)


def test_the_demonstration_finds_the_running_service_and_plays_a_league_to_its_end(data: Path) -> None:
    with _up(data) as up:
        address = up.hear(r"READY (http://\S+/)")
        said = _output_of(data, "demo", "--players", "2", "--rounds", "1", "--table-size", "2")
        assert said.startswith("0 "), said
        assert "every log is verified, no move is lost or doubled" in said
        assert f"See {address}competitions/" in said


def test_a_part_or_server_that_is_killed_is_started_again_and_the_web_goes_on(data: Path) -> None:
    with _up(data) as up:
        address = up.hear(r"READY (http://\S+/)")
        up.part("worker").kill()
        up.hear(r"worker \(-9\) has ended: starting it again in 1 s")
        assert httpx.get(f"{address}account/login/").status_code == 200
        assert processes.eventually(lambda: up.has("worker"), _SECONDS)
        up.server("postgres").kill()
        up.hear("PostgreSQL has ended: starting it again")
        assert processes.eventually(lambda: _answers(f"{address}readyz"), _SECONDS)
        assert up.end(signal.SIGTERM)[0] == 0


def test_a_stop_during_the_start_leaves_no_process(data: Path) -> None:
    with _up(data) as up:
        up.hear(r"PostgreSQL \| started")
        family = up.family()
        up.end(signal.SIGTERM)
        assert _all_gone(family)


def test_a_port_in_use_is_reported_before_anything_starts(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = _output_of(data, "up", "--port", str(port))
    assert said.startswith(f"1 CommandError: Cannot listen on 127.0.0.1 port {port}: Address already in use.")
    assert not (data / "postgres").exists()


def test_a_command_works_without_the_service_and_leaves_no_process(data: Path) -> None:
    assert _output_of(data, "migrate", "--verbosity", "0") == "0 "
    assert not any(
        str(data) in " ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"])
    )
