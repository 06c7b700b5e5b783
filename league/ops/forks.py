"""Parts of the service that are forked from a process which has loaded the application.

They share what it has loaded. It is asked over a socket, and tells through a pipe how each part ends; it is
`league.ops.preload`.
"""

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from league.ops import processes

POSSIBLE: Final = sys.platform == "linux"
"""Whether parts are forked here: elsewhere a library of the system may not bear it."""
PRELOAD: Final = (sys.executable, "-m", "league.ops.preload")
QUESTION: Final = b"?"
"""What is sent to the process that forks, and back, to see whether it goes on."""
_EVERY: Final = 15.0
"""Seconds between two questions."""
_ROOM: Final = " " * 150
"""An argument whose place the command line of a part takes."""
DESCRIPTORS: Final = 4
"""A request comes with standard input, output, the pipe for readiness and that for the end."""


class Request(NamedTuple):
    """A module to run with arguments, and what the kernel sends it when its parent dies."""

    module: str
    arguments: Sequence[str]
    dies_by: int


class Preloaded:
    """The process that forks parts, which is ended after `leave` and its last part."""

    def __init__(self, command: Sequence[str] = PRELOAD) -> None:
        """Start it by a command, to which the descriptor of its socket is added."""
        self.forks = True
        self._parts: list[Forked] = []
        self._asked_at, self._asked, self._unanswered = time.monotonic(), False, 0
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = processes.start(
                [*command, str(theirs.fileno()), _ROOM],
                output=None,
                dies_by=signal.SIGTERM,
                environment={**os.environ, "PYTHONUNBUFFERED": "1"},
                keep=[theirs.fileno()],
            )

    def has_ended(self) -> bool:
        """Return whether it runs no more, and can't fork; end it where it was left by all its parts."""
        self._parts = [part for part in self._parts if part.poll() is None]
        if not (self.forks or self._parts):
            self.kill()
        return self._process.poll() is not None

    def unanswered(self) -> int:
        """Ask it now and then, without waiting; return how many questions in a row it left unanswered."""
        with suppress(OSError):
            if self._socket.recv(len(QUESTION), socket.MSG_DONTWAIT):
                self._asked, self._unanswered = False, 0
        if time.monotonic() - self._asked_at >= _EVERY:
            self._unanswered += self._asked
            with suppress(OSError):
                if not self._asked:
                    self._socket.send(QUESTION, socket.MSG_DONTWAIT)
            self._asked_at, self._asked = time.monotonic(), True
        return self._unanswered

    def fork(self, request: Request, *, stdin: int | None, output: int, ready: int) -> "Forked":
        """Return a new part with these descriptors, which may have to wait until everything is loaded."""
        read_end, write_end = os.pipe()
        with Path(os.devnull).open("rb") as nothing, os.fdopen(write_end, "wb"):
            given = [nothing.fileno() if stdin is None else stdin, output, ready, write_end]
            with suppress(OSError):  # it has ended just now, as the part will
                socket.send_fds(self._socket, [json.dumps(request).encode()], given)
        self._parts.append(part := Forked(self, read_end))
        return part

    def leave(self) -> None:
        """Fork no more parts."""
        self.forks = False

    def kill(self) -> None:
        """End it, and with it all its parts, each by its signal."""
        self.leave()
        self._socket.close()
        self._process.kill()
        self._process.wait()


class Forked:
    """A part that another process has forked and waits for; it is used like `subprocess.Popen`."""

    def __init__(self, parent: Preloaded, status: int) -> None:
        os.set_blocking(status, False)
        self.pid: int | None = None
        self.returncode: int | None = None
        self._parent = parent
        self._status = os.fdopen(status, "rb", buffering=0)
        self._told = b""

    def poll(self) -> int | None:
        """Return the exit code, None while the part runs; -9 where the parent has ended too."""
        while self.returncode is None and (told := self._status.read(64)) is not None:
            self._told += told
            pid, *code = self._told.split(b"\n")[:-1] or [b"0"]
            self.pid = int(pid) or None
            if code or not told:
                self.returncode = int(code[0]) if code else -signal.SIGKILL
                self._status.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal; one that isn't forked yet never is, nor any other."""
        if self.poll() is not None:
            return
        if self.pid is None:
            self._parent.kill()
            return
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self) -> int:
        """Return the exit code, once there is one."""
        while (code := self.poll()) is None:
            time.sleep(0.01)
        return code
