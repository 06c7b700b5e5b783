"""Runs programs side by side, with prefixed output, and starts again those that end by themselves."""

import json
import os
import selectors
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from league.ops import processes
from league.ops.processes import QUESTIONS
from league.ops.servers import CannotServe, Server

_CHECK_SECONDS = 0.5
_STOP_SECONDS = 20
LONGEST_PAUSE = 60
# What ran so long had no trouble starting: the next pause is short again.
_STEADY_SECONDS = 60


class Part(NamedTuple):
    """A program to run, which signals when it is ready; ``stdin`` is a file descriptor."""

    name: str
    command: tuple[str, ...]
    stdin: int | None = None
    dies_by: signal.Signals = signal.SIGTERM  # what the kernel sends it when the supervisor is killed


class Attempts:
    """How long to wait before something that ended is started again."""

    def __init__(self) -> None:
        self.failures = 0
        self._started = time.monotonic()

    def failed(self) -> int:
        """Count a failure; return the seconds to wait: twice as many as last time, up to a minute."""
        steady = time.monotonic() - self._started > _STEADY_SECONDS
        self.failures = 1 if steady else self.failures + 1
        return min(1 << min(self.failures - 1, 10), LONGEST_PAUSE)

    def started(self) -> None:
        """Note that it was started again."""
        self._started = time.monotonic()


def _pipe() -> tuple[FileIO, FileIO]:
    """Return the ends of a new pipe, which are closed when nothing has them any more."""
    read, write = os.pipe()
    return FileIO(read, "rb"), FileIO(write, "wb")


class Running:
    """A running part, in its own session."""

    def __init__(self, part: Part, say: Callable[[str, str], None]) -> None:
        self.ready_signal, ready_end = _pipe()
        self.output, output_end = _pipe()
        self.name = part.name
        self.ready = False
        self._say = say
        self._rest = b""
        with ready_end, output_end:
            self.child = processes.start(
                part.command,
                stdin=part.stdin,
                output=output_end.fileno(),
                dies_by=part.dies_by,
                environment={
                    **os.environ,
                    "PYTHONUNBUFFERED": "1",
                    processes.VARIABLE: str(ready_end.fileno()),
                },
                keep=[ready_end.fileno()],
            )

    def read_ready(self) -> bool:
        """Read the ready pipe. Returns whether more may come: never."""
        self.ready = self.ready_signal.read(1) != b""
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
        self.end(signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


class Supervisor:
    """Runs parts until a signal asks for the end, or until one does not start in the first place."""

    def __init__(
        self,
        say: Callable[[str, str], None],
        needed: Sequence[Server] = (),
        note: Path | None = None,
    ) -> None:
        """`say` prints a line of a part; parts may need servers; the file ``note`` says what runs."""
        self._say = say
        self._note_file = note
        self._noted = ""
        self._ends: dict[str, list[float]] = {}
        self._hung: dict[str, int] = {}
        self._rolling: list[str] = []
        self._asked_to_roll = False
        self._attempts = {server.name: Attempts() for server in needed}
        self._needed = needed
        self._running: dict[str, Running] = {}
        self._parts: dict[str, Part] = {}
        self._due: dict[str, float] = {}
        self._selector = selectors.DefaultSelector()
        self._asked = 0
        self._announced = False

    def run(self, parts: Sequence[Part], when_ready: Callable[[], None]) -> int:
        """Start the parts, watch them, stop them. Returns 0 if a signal asked for the end, else 1.

        A part that ends before all were ready once ends the run: its start fails.
        """
        with self._counting_signals(), self._selector:
            try:
                for part in parts:
                    self._parts[part.name] = part
                    self._attempts[part.name] = Attempts()
                    self._start(part)
                return self._watch(when_ready)
            finally:
                self._stop()

    @contextmanager
    def _counting_signals(self) -> Iterator[None]:
        """Count the signals that ask for the end; SIGUSR1 asks for a new start of each part in turn."""
        before = {number: signal.signal(number, self._note) for number in processes.ending_signals()}
        before[signal.SIGUSR1] = signal.signal(signal.SIGUSR1, self._note_rolling)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._asked += 1

    def _note_rolling(self, _number: int, _frame: FrameType | None) -> None:
        self._asked_to_roll = True

    def _start(self, part: Part) -> None:
        running = Running(part, self._say)
        self._running[part.name] = running
        self._selector.register(running.output, selectors.EVENT_READ, running.read_output)
        self._selector.register(running.ready_signal, selectors.EVENT_READ, running.read_ready)

    def _watch(self, when_ready: Callable[[], None]) -> int:
        while not (self._asked or processes.asked_to_end()):
            self._read()
            self._keep_servers()
            if not self._keep_parts():
                return 1
            self._roll()
            self._write_note()
            if not self._announced and all(running.ready for running in self._running.values()):
                self._announced = True
                when_ready()
        return 0

    def _read(self) -> bool:
        """Wait a moment for output. Returns whether there was any."""
        ready_files = self._selector.select(_CHECK_SECONDS)
        for key, _ in ready_files:
            if not key.data():
                self._selector.unregister(key.fileobj)
        return bool(ready_files)

    def _keep_servers(self) -> None:
        """End servers that hang; start those again that have ended, each after a pause, however often."""
        for server in self._needed:
            if not server.died() and server.unanswered() >= QUESTIONS:
                self._say("up", f"{server.name} has not answered for long: it is ended.")
                self._hung[server.name] = self._hung.get(server.name, 0) + 1
                server.break_off()
            if server.died() and self._is_due(server.name, f"{server.name} has ended"):
                try:
                    server.start()
                except CannotServe as error:
                    self._say("up", str(error))
                self._attempts[server.name].started()

    def _keep_parts(self) -> bool:
        """Start parts again that have ended, each after a pause; return whether to go on."""
        for name, running in list(self._running.items()):
            if not running.ended():
                continue
            cause = f"{name} ({running.child.returncode}) has ended"
            if not self._announced:
                self._say("up", f"{cause}: stopping everything.")
                return False
            if self._rolling[:1] == [name] or self._is_due(name, cause):
                try:
                    self._start_again(name)
                except OSError as error:
                    self._say("up", f"{name} can't be started: {error.strerror}.")
        return True

    def _is_due(self, name: str, cause: str) -> bool:
        """Return whether what has ended is to be started now; when it will be is said at its end."""
        if name not in self._due:
            pause = self._attempts[name].failed()
            self._count_end(name)
            self._say("up", f"{cause}: starting it again in {pause} s.")
            self._due[name] = time.monotonic() + pause
        if time.monotonic() < self._due[name]:
            return False
        del self._due[name]
        return True

    def _start_again(self, name: str) -> None:
        ended = self._running[name]
        ended.sweep()
        self._attempts[name].started()
        self._start(self._parts[name])
        self._end(ended)

    def _roll(self) -> None:
        """End one part after the other, the next one once that before it is ready again."""
        if self._asked_to_roll and self._announced and not self._rolling:
            self._asked_to_roll = False
            self._rolling = ["", *self._parts]
        if self._rolling and all(running.ready and not running.ended() for running in self._running.values()):
            del self._rolling[0]
            if self._rolling:
                name = self._rolling[0]
                self._say("up", f"{name} is restarted.")
                self._running[name].ready = False
                self._running[name].end(signal.SIGTERM)

    def _count_end(self, name: str) -> None:
        self._ends.setdefault(name, []).append(time.time())  # noqa: TID251 - may outlive the database

    def _write_note(self) -> None:
        """Write down what runs, where it has changed: parts and servers by name, and when they ended.

        A full disk is no reason to stop: it is tried again.
        """
        if self._note_file is None:
            return
        runs = {server.name: not server.died() for server in self._needed}
        runs |= {name: running.ready and not running.ended() for name, running in self._running.items()}
        silent = [server.name for server in self._needed if runs[server.name] and server.unanswered()]
        told = [
            {
                "name": name,
                "runs": running,
                "silent": name in silent,
                "ends": len(ends),
                "hung": self._hung.get(name, 0),
                "last_end": max(ends, default=None),
            }
            for name, running in runs.items()
            for ends in [self._ends.get(name, [])]
        ]
        noted = json.dumps({"supervisor": os.getpid(), "parts": told})
        if noted != self._noted:
            new = self._note_file.with_suffix(".new")
            with suppress(OSError):
                new.write_text(noted)
                new.replace(self._note_file)
                self._noted = noted

    def _end(self, running: Running) -> None:
        """Read the rest of the output of a part that has ended."""
        while running.read_output():
            pass
        for file in (running.output, running.ready_signal):
            with suppress(KeyError):
                self._selector.unregister(file)
        running.output.close()
        running.ready_signal.close()

    def _stop(self) -> None:
        """Ask all parts to end, the last one first; kill those that are too slow, or after another signal."""
        asked, end = self._asked, time.monotonic() + _STOP_SECONDS
        if self._note_file is not None:
            with suppress(OSError):
                self._note_file.unlink()
        last_first = list(reversed(self._running.values()))
        for running in last_first:
            running.end(signal.SIGTERM)
        while not all(running.ended() for running in last_first):
            if time.monotonic() > end or self._asked > asked:
                break
            self._read()
        for running in last_first:
            running.sweep()
        while self._selector.get_map() and self._read():
            pass
