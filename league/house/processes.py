"""Child processes that never outlive their parent, and locks that die with their holder."""

import ctypes
import fcntl
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import IO

_PR_SET_PDEATHSIG = 1
# Loaded before any fork: a child that has become another user may not be able to read this Python any more.
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True)
class User:
    """A user that a server runs as."""

    uid: int
    gid: int


def server_user() -> User | None:
    """Return whom PostgreSQL runs as: nobody in place of root, which it refuses; None for ourselves."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    return User(nobody.pw_uid, nobody.pw_gid)


def start(
    command: Sequence[str],
    *,
    output: int | IO[bytes],
    dies_by: signal.Signals,
    user: User | None = None,
    environment: Mapping[str, str] | None = None,
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own, so that Ctrl-C reaches only us.

    On Linux the kernel sends it `dies_by` when we die, however we die. Call from the main thread: the kernel
    watches the thread that forked. `keep` names file descriptors that the child inherits.
    """
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
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
    """Have the kernel send us a signal when our parent dies, and do so now if it is dead. Linux only."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, dies_by)
        if os.getppid() != parent:
            os.kill(os.getpid(), dies_by)


_asked_to_end = threading.Event()


def end_when_asked() -> None:
    """Exit by way of every `with` when a signal asks for the end, so that what was begun is ended in order.

    Python drops what is raised while it does away with an object: `asked_to_end` remembers that too.
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
    """Return the signals that ask a program to end; not the one of a closed terminal where nohup bars it.

    A shell bars SIGINT from what a script starts with `&`; whoever sends it all the same means it.
    """
    barred = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *(() if barred else (signal.SIGHUP,))]


def command_of(pid: int) -> str:
    """Return the command line of a process, or an empty text where there is no such process."""
    line = Path(f"/proc/{pid}/cmdline")
    try:
        if sys.platform == "linux":
            return line.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        ps = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
        return subprocess.run(ps, capture_output=True, text=True, check=False).stdout
    except (FileNotFoundError, ProcessLookupError):
        return ""


def eventually(happened: Callable[[], bool], seconds: float, every: float = 0.02) -> bool:
    """Wait until `happened` says yes, at most so long. Returns whether it did."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(every)
    return True


class Lock:
    """A file lock; the kernel releases it when its holder ends, however that comes about."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b")

    def take(self, *, shared: bool = False) -> None:
        """Take the lock, waiting for whoever holds it."""
        fcntl.flock(self._file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)

    def try_to_take(self, *, shared: bool = False) -> bool:
        """Take the lock if nobody holds it. Returns whether it is ours now."""
        try:
            fcntl.flock(self._file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def give_back(self) -> None:
        """Let others have the lock, until we take it again."""
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def release(self) -> None:
        """Let others have the lock, for good."""
        self._file.close()
