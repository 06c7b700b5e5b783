"""Child processes that end with their parent and tell when they serve, locks that are released when their
holder ends, and questions whether a server still answers.

The supervisor, which stays small, imports this.
"""

import ctypes
import fcntl
import gc
import os
import pwd
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import IO, Final, NamedTuple

from league.ops import folders

_PR_SET_PDEATHSIG = 1
# Loaded before any fork: a child that runs as another user may not be able to read this Python.
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class User(NamedTuple):
    """A user that a server runs as."""

    uid: int
    gid: int


def server_user() -> User | None:
    """Return the user for PostgreSQL: nobody instead of root, which it refuses; None for our own."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    return User(nobody.pw_uid, nobody.pw_gid)


def start(
    command: Sequence[str],
    *,
    output: int | IO[bytes] | None,
    dies_by: signal.Signals,
    stdin: int | None = None,
    user: User | None = None,
    environment: Mapping[str, str] | None = None,
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a child in a new session, so that Ctrl-C reaches only us.

    On Linux the kernel sends it `dies_by` when we die in any way. Call this from the main thread: the kernel
    watches the thread that forked. `keep` are file descriptors that the child inherits; its output is ours
    with None.
    """
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if stdin is None else stdin,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd="/" if user else None,
        env=environment,
        start_new_session=True,
        pass_fds=keep,
        preexec_fn=partial(die_with, os.getpid(), dies_by),
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )


def die_with(parent: int, dies_by: signal.Signals) -> None:
    """Let the kernel send us a signal when our parent dies, or now if it is dead. Linux only."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, dies_by)
        if os.getppid() != parent:
            os.kill(os.getpid(), dies_by)


def show_as(command: Sequence[str]) -> None:
    """Show another command for this process in lists of processes, cut where it is longer. Linux only."""
    told = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
    start, end = map(int, told[45:47])  # arg_start and arg_end in proc(5), which begins with two others
    shown = b"\0".join(map(os.fsencode, command))[: end - start - 1]
    ctypes.memmove(start, shown.ljust(end - start, b"\0"), end - start)


_asked_to_end = threading.Event()


_ALLOCATIONS = 50_000
"""How many more objects there may be than at the last collection of garbage."""


def settle() -> None:
    """Have the collector of garbage leave alone what is loaded now, and look seldom at what comes.

    Requests, tasks and work on logs make many small values without cycles: a collection after every 700
    takes a tenth of their time. It writes to every object, too, which gives each process a copy of its own
    of what it shares with its parent.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS)


def end_when_asked() -> None:
    """Raise SystemExit on signals that ask for the end, so that every `with` is left in order.

    Python ignores exceptions raised while it deletes an object: `asked_to_end` then still returns True.
    """
    for ending in ending_signals():
        signal.signal(ending, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    _asked_to_end.set()
    sys.exit(128 + number)


def asked_to_end() -> bool:
    """Return whether a signal has asked this program to end."""
    return _asked_to_end.is_set()


def ending_signals() -> list[signal.Signals]:
    """Return the signals that ask a program to end; SIGHUP only where nohup does not ignore it.

    A shell ignores SIGINT for programs that a script starts with `&`; we handle it if it is sent.
    """
    ignored = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *(() if ignored else (signal.SIGHUP,))]


def command_of(pid: int) -> str:
    """Return the command line of a process, empty if there is no such process."""
    line = Path(f"/proc/{pid}/cmdline")
    try:
        if sys.platform == "linux":
            return line.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        ps = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
        return subprocess.run(ps, capture_output=True, text=True, check=False).stdout
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children_of(pid: int) -> Sequence[int]:
    """Return the children of a process that has one thread; none where the system does not tell."""
    try:
        return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    except OSError:
        return []


def eventually(happened: Callable[[], bool], seconds: float, every: float = 0.02) -> bool:
    """Wait until `happened` returns True, at most `seconds`. Returns whether it did."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


class Lock:
    """A file lock; the kernel releases it when its holder ends in any way."""

    def __init__(self, path: Path) -> None:
        self._file = folders.plain(path).open("a+b")

    def take(self, *, shared: bool = False) -> None:
        """Take the lock, waiting until it is free."""
        fcntl.flock(self._file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)

    def try_to_take(self) -> bool:
        """Take the lock if it is free. Returns whether it is ours now."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def give_back(self) -> None:
        """Release the lock; it can be taken again."""
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def release(self) -> None:
        """Release the lock and close its file."""
        self._file.close()


# ---- Pulse ---------------------------------------------------------------------------------------

QUESTIONS: Final = 4
"""How many questions in a row must have no answer: a server that is only slow answers one of them."""


class Pulse:
    """Asks a server one question after the other, each on a connection of its own."""

    def __init__(self, address: Path, question: bytes, seconds: float) -> None:
        """Give each question ``seconds``; after it the server is to close the connection."""
        self._address, self._question, self._seconds = address, question, seconds
        self.missed = 0
        """How many questions in a row had no answer."""
        self._ask()

    def feel(self, full: bytes = b"") -> None:
        """Read what has come, and ask again when it is time.

        An answer with ``full`` in it says that there is no room for the question, which tells nothing.
        """
        if not self._closed:
            with suppress(OSError):
                self._read()
        if time.monotonic() - self._asked_at < self._seconds:
            return
        if not (self._closed and self._heard):
            self.missed += 1
        elif not (full and full in self._heard):
            self.missed = 0
        self._socket.close()
        self._ask()

    def forget(self) -> None:
        """Ask no more."""
        self._socket.close()

    def _ask(self) -> None:
        self._asked_at = time.monotonic()
        self._heard, self._closed = b"", False
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.setblocking(False)
        with suppress(OSError):
            self._socket.connect(str(self._address))
            self._socket.sendall(self._question)

    def _read(self) -> None:
        while part := self._socket.recv(65536):
            self._heard += part
        self._closed = True


# ---- Readiness -----------------------------------------------------------------------------------

VARIABLE = "TREFOIL_READY_FD"


def signal_ready() -> None:
    """Signal to the supervisor, if there is one, that this process is ready."""
    descriptor = os.environ.pop(VARIABLE, None)
    if descriptor is not None:
        os.write(int(descriptor), b"1")
        os.close(int(descriptor))
