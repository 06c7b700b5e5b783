"""A running `manage.py up`, as its users see it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import psutil

from league.ops import folders, processes
from tests import patience

_OURS = re.compile(r"TREFOIL_TEST_DATA|DJANGO_SETTINGS_MODULE|DATABASE_URL|CELERY_BROKER_URL|PYTEST.*")


def manage(data: Path, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    """Run manage.py as a user would, outside of any test run, on a data folder."""
    environment = {name: value for name, value in os.environ.items() if not _OURS.fullmatch(name)}
    small = {"TREFOIL_DATA": str(data), "WEB_PROCESSES": "1", "WORKER_PROCESSES": "1"}
    return subprocess.Popen(
        [sys.executable, str(folders.TOP / "manage.py"), *arguments],
        env={**environment, **small, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Up:
    """A running `manage.py up`."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.process = manage(data, "up", "--port", "0", **environment)
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
        end = time.monotonic() + patience.SECONDS
        with suppress(Empty):
            while line := self._lines.get(timeout=max(0, end - time.monotonic())):
                self.said += line
                if found := re.search(pattern, line):
                    return found[found.re.groups]
        raise AssertionError(f"{pattern} was never said:\n{self.said}")

    def family(self) -> list[psutil.Process]:
        """Return all processes of the service."""
        top = psutil.Process(self.process.pid)
        return [top, *top.children(recursive=True)]

    def part(self, word: str) -> psutil.Process:
        """Return the first process with this argument on its command line."""
        for each in self.family():
            with suppress(psutil.Error):  # others come and go
                if word in each.cmdline():
                    return each
        raise AssertionError(f"No process is {word}.")

    def server(self, program: str) -> psutil.Process:
        """Return an embedded server by the name of its program."""
        for each in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if each.name() == program:
                    return each
        raise AssertionError(f"No server is {program}.")

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit code and what was said meanwhile."""
        self.process.send_signal(number)
        code = self.process.wait(patience.SECONDS)
        self._reader.join(patience.SECONDS)
        return code, "".join(iter(self._lines.get, ""))


def stop(process: psutil.Process) -> list[psutil.Process]:
    """Let a process hang with all that it has started; return them, as they were then."""
    process.send_signal(signal.SIGSTOP)
    # Then it starts no others.
    assert processes.eventually(lambda: process.status() == psutil.STATUS_STOPPED, patience.SECONDS)
    family = [process, *process.children(recursive=True)]
    signal_to(family, signal.SIGSTOP)
    return family


def signal_to(family: Sequence[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to processes, as far as they live: a database's own ones come and go."""
    for process in family:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


@contextmanager
def stopped(process: psutil.Process) -> Iterator[None]:
    """Let a process hang for a while, with all that it has started."""
    family = stop(process)
    try:
        yield
    finally:
        signal_to(family, signal.SIGCONT)


@contextmanager
def running(data: Path, **environment: str) -> Iterator[Up]:
    """Run the service for a while."""
    up = Up(data, **environment)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.end(signal.SIGTERM)
