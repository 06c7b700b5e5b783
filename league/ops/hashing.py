"""The hashing of passwords, which is slow on purpose: bounded, so that it can't starve other requests.

Beside it what the server itself makes at random, which nobody guesses and a fast hash protects enough.
"""

import os
import secrets
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

AT_ONCE: Final = 1
"""How many passwords a process hashes at a time."""
IN_LINE: Final = 2
"""How many more requests wait for that. Each holds a thread, of which a process has eight."""
PATIENCE: Final = 2.0
"""How many seconds they wait."""
RETRY_SECONDS: Final = 3
_NICE: Final = 19


class Busy(Exception):
    """Too many passwords are being hashed; nothing has been checked or changed."""


class Line:
    """A line in front of slow work: some do it, some wait for a time, and all others are turned away."""

    def __init__(self, at_once: int, in_line: int, patience: float) -> None:
        self._places = BoundedSemaphore(at_once + in_line)
        self._work = BoundedSemaphore(at_once)
        self._patience = patience

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the work inside; raises `Busy`."""
        if not self._places.acquire(blocking=False):
            raise Busy
        try:
            if not self._work.acquire(timeout=self._patience):
                raise Busy
            try:
                yield
            finally:
                self._work.release()
        finally:
            self._places.release()


_LINE: Final = Line(AT_ONCE, IN_LINE, PATIENCE)


@cache
def _worker() -> ThreadPoolExecutor:
    """Return the thread that hashes, made at the first use: a process that forks has none before."""
    return ThreadPoolExecutor(AT_ONCE, "hashing", initializer=_give_way)


def _give_way() -> None:
    """Let all other threads have the processor first; elsewhere than on Linux that would slow the process."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


class BoundedHasher(PBKDF2PasswordHasher):
    """Django's usual hasher, within the bounds of this process; `encode` and `verify` raise `Busy`."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password; raises `Busy`."""
        with _LINE.turn():
            return _worker().submit(super().encode, password, salt, iterations).result()


class RandomSecretHasher(PBKDF2PasswordHasher):
    """The hasher of the secrets of programs: 128 random characters, checked at each of their requests."""

    algorithm = "random"
    iterations = 1


_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words come about (RFC 8628, section 6.1)."""


def new_user_code() -> str:
    """Return a code that a person types to connect a device: eight letters, such as ``WDJB-MJHT``."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"
