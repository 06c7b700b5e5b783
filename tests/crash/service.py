"""A service of one machine, whose processes are killed."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import psutil

from league.demo.clients import Failed
from league.ops.folders import TOP


class Kind(NamedTuple):
    """What is killed: what is in its command line, and how often it is chosen."""

    word: str
    weight: int


KINDS: Final[Mapping[str, Kind]] = {
    "the supervisor": Kind("tests.crash.up", 1),
    "a web process": Kind("league.ops.web", 6),
    "a process of the worker": Kind("league.ops.worker", 4),
    "PostgreSQL": Kind("postgres", 3),
    "a connection of PostgreSQL": Kind("postgres:", 3),
    "the broker": Kind("valkey-server", 3),
}
"""What takes long to start is chosen less often."""
_WELL_SECONDS: Final = 600
"""Long, for a machine that is busy with other things: how long it took is in the table."""


class Service:
    """`manage.py up` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self.log = folder.with_suffix(".log")
        self._up: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, where it does not run."""
        if not self._runs():
            command = [sys.executable, "-m", "tests.crash.up", "--port", str(self._port)]
            with self.log.open("ab") as log:
                self._up = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=TOP,
                    env={**os.environ, "PYTHONPATH": str(TOP)},
                )

    def _runs(self) -> bool:
        return self._up is not None and self._up.poll() is None

    def _pid(self) -> int | None:
        """Return the process id of the supervisor."""
        return self._up.pid if self._up is not None and self._runs() else None

    def stop(self) -> None:
        """End it, if it runs."""
        if self._up is not None:
            self._up.terminate()
            self._up.wait()

    def is_well(self) -> bool:
        """Return whether it says that it is ready."""
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/readyz", timeout=5).is_success
        return False

    def wait(self, what: str, happened: Callable[[], bool]) -> None:
        """Wait for something; raise `Failed` if it does not happen in time."""
        end = time.monotonic() + _WELL_SECONDS
        while not happened():
            self.start()
            if time.monotonic() > end:
                raise Failed(f"There was not, in {_WELL_SECONDS} seconds: {what}. The log: {self.log}")
            time.sleep(0.1)

    def killed(self, kind: str, dice: random.Random) -> bool:
        """Kill a process of a kind; return whether there was one."""
        found = sorted(self.processes(kind))
        if not found:
            return False
        with suppress(ProcessLookupError):
            os.kill(dice.choice(found), signal.SIGKILL)
        return True

    def processes(self, kind: str) -> Sequence[int]:
        """Return the processes of a kind, by their ids."""
        found = []
        with suppress(psutil.Error):
            top = psutil.Process(self._pid())
            for process in (top, *top.children(recursive=True)):
                with suppress(psutil.Error):
                    if self._is(kind, process):
                        found.append(process.pid)
        return found

    @staticmethod
    def _is(kind: str, process: psutil.Process) -> bool:
        command = " ".join(process.cmdline())
        if kind == "PostgreSQL":
            return process.name() == "postgres" and not command.startswith("postgres:")
        return KINDS[kind].word in command


class Given(Service):
    """One that runs already, and keeps itself running."""

    def __init__(self, url: str, pid: int) -> None:
        self.url, self.log = url, Path(os.devnull)
        self._supervisor = pid

    def _runs(self) -> bool:
        return True

    def _pid(self) -> int | None:
        return self._supervisor

    def stop(self) -> None:
        """Leave it running."""
