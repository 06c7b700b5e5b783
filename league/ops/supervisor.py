"""Runs programs side by side, with prefixed output; when one ends, all are stopped."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import IO

from league.ops import processes
from league.ops import readiness as ready

_CHECK_SECONDS = 0.5
_STOP_SECONDS = 20


@dataclass(frozen=True)
class Part:
    """A program to run; it inherits the file descriptors in `keep` and signals when it is ready."""

    name: str
    command: tuple[str, ...]
    keep: tuple[int, ...] = ()
    dies_by: signal.Signals = signal.SIGTERM  # what the kernel sends it when the supervisor is killed


class Running:
    """A running part, in its own session."""

    def __init__(self, part: Part, say: Callable[[str, str], None]) -> None:
        read_end, write_end = os.pipe()
        self.name = part.name
        self.ready_signal = read_end
        self.ready = False
        self._say = say
        self._rest = b""
        self.child = processes.start(
            part.command,
            output=subprocess.PIPE,
            dies_by=part.dies_by,
            environment={**os.environ, "PYTHONUNBUFFERED": "1", ready.VARIABLE: str(write_end)},
            keep=(*part.keep, write_end),
        )
        os.close(write_end)
        assert self.child.stdout is not None
        self.output: IO[bytes] = self.child.stdout

    def read_ready(self) -> bool:
        """Read the ready pipe. Returns whether more may come: never."""
        self.ready = os.read(self.ready_signal, 1) != b""
        return False

    def read_output(self) -> bool:
        """Pass on complete lines of output. Returns whether more may come."""
        output = os.read(self.output.fileno(), 65536)
        *lines, self._rest = (self._rest + output).split(b"\n")
        if not output and self._rest:
            lines.append(self._rest)
        for line in lines:
            self._say(self.name, line.decode(errors="replace"))
        return output != b""

    def ended(self) -> bool:
        return self.child.poll() is not None

    def end(self, number: signal.Signals) -> None:
        """Send the program a signal if it is still running."""
        if not self.ended():
            self.child.send_signal(number)

    def sweep(self) -> None:
        """Kill the program and everything in its session."""
        with suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


class Supervisor:
    """Runs parts until one of them ends, a server they need ends, or a signal asks for the end."""

    def __init__(self, say: Callable[[str, str], None], missing: Callable[[], str]) -> None:
        """`say` prints a line of a part; `missing` returns the name of a server that has ended, or ""."""
        self._say = say
        self._missing = missing
        self._running: list[Running] = []
        self._selector = selectors.DefaultSelector()
        self._asked = 0

    def run(self, parts: Sequence[Part], when_ready: Callable[[], None]) -> int:
        """Start the parts, watch them, stop them. Returns 0 if a signal asked for the end, else 1."""
        with self._counting_signals(), self._selector:
            try:
                for part in parts:
                    self._start(part)
                return self._watch(when_ready)
            finally:
                self._stop()

    @contextmanager
    def _counting_signals(self) -> Iterator[None]:
        """Count the signals that ask for the end."""
        before = {number: signal.signal(number, self._note) for number in processes.ending_signals()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._asked += 1

    def _start(self, part: Part) -> None:
        running = Running(part, self._say)
        self._running.append(running)
        self._selector.register(running.output, selectors.EVENT_READ, running.read_output)
        self._selector.register(running.ready_signal, selectors.EVENT_READ, running.read_ready)

    def _watch(self, when_ready: Callable[[], None]) -> int:
        announced = False
        while not (self._asked or processes.asked_to_end()):
            self._read()
            if cause := self._cause_to_end():
                self._say("up", f"{cause} has ended: stopping everything.")
                return 1
            if not announced and all(running.ready for running in self._running):
                announced = True
                when_ready()
        return 0

    def _read(self) -> bool:
        """Wait a moment for output. Returns whether there was any."""
        ready_files = self._selector.select(_CHECK_SECONDS)
        for key, _ in ready_files:
            if not key.data():
                self._selector.unregister(key.fileobj)
        return bool(ready_files)

    def _cause_to_end(self) -> str:
        ended = (
            f"{running.name} ({running.child.returncode})" for running in self._running if running.ended()
        )
        return next(ended, "") or self._missing()

    def _stop(self) -> None:
        """Ask all parts to end, the last one first; kill those that are too slow, or after another signal."""
        asked, end = self._asked, time.monotonic() + _STOP_SECONDS
        for running in reversed(self._running):
            running.end(signal.SIGTERM)
        while not all(running.ended() for running in self._running):
            if time.monotonic() > end or self._asked > asked:
                break
            self._read()
        for running in reversed(self._running):
            running.sweep()
        while self._selector.get_map() and self._read():
            pass
