"""Starting, finding and stopping an embedded server."""

import os
import shutil
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from league.ops import environment, folders, processes
from league.ops.processes import QUESTIONS, Pulse

_LEAST_FREE = 1_000_000
_START_SECONDS = 60
_STOP_SECONDS = 30
_BREAK_SECONDS = 10
_SILENT_SECONDS = 120


class CannotServe(Exception):
    """A server cannot be started or used; the message says why and what to do."""


@contextmanager
def needing_files() -> Iterator[None]:
    """Raise CannotServe, with a sentence, for what the system refuses to do with a file."""
    try:
        yield
    except OSError as error:
        raise CannotServe(
            f"{error.filename2 or error.filename or 'A file'} can't be used: {error.strerror}. Trefoil keeps "
            "its data in a folder of the user who runs it, on a disk with some room; TREFOIL_DATA can name "
            "another one."
        ) from error


class Server(ABC):
    """A server in its own folder: our child, or adopted from a parent that died."""

    name: str
    stops_by: signal.Signals
    breaks_by: signal.Signals  # ends it at once, without losing what it has answered
    full = b""  # what is in the answer of a server that has no room for one more
    instead: str  # the environment variable that makes this server unnecessary
    pid_file: Path  # written by the server itself

    def __init__(self, home: Path) -> None:
        self.home = home
        self.log = home / "server.log"
        self._child: subprocess.Popen[bytes] | None = None
        self._pulse: Pulse | None = None
        self._patience = environment.number("SILENT_SECONDS", _SILENT_SECONDS)

    @abstractmethod
    def prepare(self) -> None:
        """Make the folders and files that the server needs."""

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command that runs the server in the foreground."""

    @abstractmethod
    def user(self) -> processes.User | None:
        """Return the server's user, None for our own."""

    @abstractmethod
    def answers(self) -> bool:
        """Return whether the server accepts connections."""

    @abstractmethod
    def question(self) -> tuple[Path, bytes]:
        """Return the server's socket, and words after whose answer it closes the connection."""

    def is_starting(self) -> bool:
        """Return whether the server says that it will accept connections later."""
        return False

    @needing_files()
    def start(self) -> str:
        """Start the server; returns "started" or "adopted". Only the holder of the keeper lock may call this.

        Raises CannotServe.
        """
        self.prepare()
        if self._found_running():
            return "adopted"
        # One that neither answers nor ends would keep a new one from starting.
        self.stop()
        self._keep_last_log()
        with self.log.open("ab") as log:
            self._child = processes.start(self.command(), output=log, dies_by=self.stops_by, user=self.user())
        self._await_start()
        if not (self._running() and self.answers()):
            self.stop()
            raise CannotServe(
                f"The embedded {self.name} did not start. {self._end_of_log()}\n{self._alternative()}"
            )
        return "started"

    def _await_start(self) -> None:
        """Wait until the server answers or has ended; however long, while it says that it is starting."""
        while not processes.eventually(lambda: self.answers() or not self._running(), _START_SECONDS):
            if not self.is_starting():
                return

    def stop(self) -> None:
        """Stop the server, our child or adopted, and wait until it has ended."""
        self._end(self.stops_by, _STOP_SECONDS)

    def break_off(self) -> None:
        """End a server that hangs."""
        self._end(self.breaks_by, _BREAK_SECONDS)

    def _end(self, number: signal.Signals, seconds: float) -> None:
        if self._pulse is not None:
            self._pulse.forget()
            self._pulse = None
        pid = self._pid()
        if pid is None:
            return
        family = [pid, *processes.children_of(pid)]
        os.kill(pid, number)
        os.kill(pid, signal.SIGCONT)  # what is stopped hears no other signal
        if not processes.eventually(lambda: not self._running(), seconds):
            # A child that hangs would keep a new server from starting.
            for each in family:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            processes.eventually(lambda: not self._running(), _STOP_SECONDS)
        self._child = None

    def unanswered(self) -> int:
        """Go on asking the server, without waiting; return how many questions in a row it left unanswered."""
        if self._patience and self._pulse is None:
            self._pulse = Pulse(*self.question(), self._patience / QUESTIONS)
        if self._pulse is None:
            return 0
        self._pulse.feel(self.full)
        return self._pulse.missed

    def died(self) -> bool:
        """Return whether the server has ended by itself."""
        return not self._running()

    def _found_running(self) -> bool:
        """Wait until a server of an earlier parent answers or has ended; return whether it answers."""
        processes.eventually(lambda: self.answers() or not self._running(), _STOP_SECONDS)
        return self.answers()

    def _pid(self) -> int | None:
        if self._child is not None:
            return self._child.pid if self._child.poll() is None else None
        pid = self.noted_pid()
        # After a restart of the machine another process may have the number.
        return pid if pid is not None and str(self.home) in processes.command_of(pid) else None

    def noted_pid(self) -> int | None:
        """Return the process id in the server's own pid file, alive or not."""
        line = first_line(self.pid_file)
        return int(line) if line.isascii() and line.isdigit() else None

    def _running(self) -> bool:
        return self._pid() is not None

    def _keep_last_log(self) -> None:
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.old"))

    def _end_of_log(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()[-8:] if self.log.exists() else []
        end = f"The end of {self.log}:\n" + "\n".join(f"    {line}" for line in lines)
        # Then the log can't say it, either.
        full = shutil.disk_usage(self.log.parent).free < _LEAST_FREE
        return f"The disk of {self.log.parent} is full. {end}" if full else end

    def _alternative(self) -> str:
        return f"Or set {self.instead} to use another server."


def first_line(path: Path) -> str:
    """Return the first line of a small file, empty if there is none."""
    try:
        return path.read_text(errors="replace").partition("\n")[0].strip()
    except FileNotFoundError:
        return ""


def open_home(home: Path, user: processes.User | None) -> None:
    """Make a server's folder and the one for its socket, only for its user. Raises CannotServe."""
    folders.own_folder(home.parent, 0o711)
    for folder in (home, folders.socket_folder(home)):
        folders.own_folder(folder, 0o700)
        if user is not None and folder.stat().st_uid == os.geteuid():
            os.chown(folder, user.uid, user.gid)
        check_owner(folder, user.uid if user else os.geteuid())


def check_owner(folder: Path, uid: int) -> None:
    """Raise CannotServe for the folder of another user."""
    owner = folder.stat().st_uid
    if owner != uid:
        raise CannotServe(
            f"{folder} belongs to user number {owner}, and the server runs as {uid}. "
            "Run Trefoil as the user who ran it here before."
        )
