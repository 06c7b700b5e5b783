"""A running `manage.py up`, as its users see it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import psutil

from league.ops import folders

_OURS = re.compile(r"TREFOIL_TEST_DATA|DJANGO_SETTINGS_MODULE|DATABASE_URL|CELERY_BROKER_URL|PYTEST.*")
SECONDS = 180


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
        while line := self._lines.get(timeout=SECONDS):
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
        return next(each for each in self.family() if word in each.cmdline())

    def server(self, program: str) -> psutil.Process:
        """Return an embedded server by the name of its program."""
        return next(each for each in psutil.Process(self.process.pid).children() if each.name() == program)

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal; return the exit code and what was said meanwhile."""
        self.process.send_signal(number)
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        return code, "".join(iter(self._lines.get, ""))


@contextmanager
def running(data: Path, **environment: str) -> Iterator[Up]:
    """Run the service for a while."""
    up = Up(data, **environment)
    try:
        yield up
    finally:
        if up.process.poll() is None:
            up.end(signal.SIGTERM)
