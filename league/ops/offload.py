"""Other processes of this application: for work that is shared out to all cores, and for functions that are
called in a process of their own, so that this one never loads what they import.

Web processes have files made so: libraries for spreadsheets, prints and pictures take up to half a second
and 30 MB. `begin` forks a process that waits, before there are any threads. It forks another for the first
call, which does one call after another, and ends when none has come for a while; and a second one for a call
that comes while the first is at work.
"""

import os
import pickle
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Lock
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

import django
from django.utils import translation

from league.ops import processes

P = ParamSpec("P")
R = TypeVar("R")

POSSIBLE: Final = sys.platform == "linux"
"""Whether processes fork here: elsewhere a library of the system may not bear it."""
_IDLE_SECONDS: Final = 60
_LONGEST_SECONDS: Final = 60


class Ended(Exception):
    """The process ended before it had an answer: it took too long, or too much memory."""


# ---- In the process that asks --------------------------------------------------------------------


class Apart:
    """Calls functions in a fork of a process that waits; ``control`` is the socket to it."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._one_at_a_time = Lock()
        self._child: Any = None

    def is_free(self) -> bool:
        """Return whether no call is being done."""
        return not self._one_at_a_time.locked()

    def call(self, function: Callable[..., R], *arguments: Any, **named: Any) -> R:
        """Return what the function returns, or raise what it raises; raise `Ended` where it does neither."""
        asked = pickle.dumps((function, arguments, named, translation.get_language()))
        with self._one_at_a_time:
            # The child may have ended since the last call.
            answer = self._answer(asked) if self._child else None
            if answer is None:
                self._child = self._forked()
                answer = self._answer(asked)
        if answer is None:
            raise Ended(f"{function.__module__}.{function.__qualname__}")
        returned, value = answer
        if not returned:
            raise value
        return value  # type: ignore[no-any-return]

    def _forked(self) -> Any:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            socket.send_fds(self._control, [b"f"], [theirs.fileno()])
            return ours.makefile("rwb")

    def _answer(self, asked: bytes) -> tuple[bool, Any] | None:
        """Return whether the function has returned, and what it returned or raised; None for neither."""
        # After half an answer no other is asked of the child: the rest would be read as the next one.
        child, self._child = self._child, None
        try:
            child.write(asked)
            child.flush()
            answer: tuple[bool, Any] = pickle.load(child)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        self._child = child
        return answer


_aparts: tuple[Apart, ...] = ()


def begin() -> None:
    """Let `call` use other processes from now on. A process calls it before it has threads."""
    global _aparts
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    if not os.fork():
        _wait(theirs, parent)
    theirs.close()
    _aparts = (Apart(ours), Apart(ours))


def call(function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """Return what a function of a module returns, or raise what it raises, called in another process.

    Arguments and results are copied, and the language is the same. Where `begin` was not called, as in
    workers and commands, the function is called here. Raises `Ended` where it does not end by itself.
    """
    if not _aparts:
        return function(*arguments, **named)
    return next(filter(Apart.is_free, _aparts), _aparts[0]).call(function, *arguments, **named)


# ---- In the others -------------------------------------------------------------------------------


def _wait(control: socket.socket, parent: int) -> NoReturn:
    """Fork whenever that is asked for, until the process that asks has ended."""
    try:
        processes.die_with(parent, signal.SIGKILL)
        processes.show_as([sys.executable, "-m", "league.ops.offload"])
        for each in processes.ending_signals():
            signal.signal(each, signal.SIG_IGN)  # some are for all processes, and requests are still answered
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        os.closerange(3, control.fileno())
        os.closerange(control.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        while given := socket.recv_fds(control, 1, 1)[1]:
            waiting = os.getpid()
            if not os.fork():
                processes.die_with(waiting, signal.SIGKILL)
                control.close()
                _serve(socket.socket(fileno=given[0]))
                break
            os.close(given[0])
    finally:
        os._exit(0)


def _serve(asking: socket.socket) -> None:
    """Do what is asked for, until nothing is for a while; moves go first."""
    os.nice(5)
    with asking.makefile("rwb") as file:
        while select.select([asking], [], [], _IDLE_SECONDS)[0]:
            try:
                asked = pickle.load(file)
            except EOFError:
                return
            signal.alarm(_LONGEST_SECONDS)
            file.write(_done(*asked))
            file.flush()
            signal.alarm(0)


def _done(function: Callable[..., Any], arguments: Any, named: Any, language: str | None) -> bytes:
    with translation.override(language):
        try:
            return pickle.dumps((True, function(*arguments, **named)))
        except Exception as error:
            error.add_note("".join(traceback.format_exception(error)))
            return pickle.dumps((False, error))


# ---- Work that is shared out ---------------------------------------------------------------------


@contextmanager
def pool(number: int) -> Iterator[ProcessPoolExecutor]:
    """Provide so many processes in which Django is set up; they end with this one, however it ends."""
    # A process that is forked would share our connection to the database.
    context = get_context("spawn")
    with ProcessPoolExecutor(number, context, initializer=_begin, initargs=(os.getpid(),)) as executor:
        try:
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)


# Not in a module with models, because it is imported before Django is set up.
def _begin(parent: int) -> None:
    processes.die_with(parent, signal.SIGKILL)
    # Ctrl-C is for the process that shares the work out.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
    processes.settle()
