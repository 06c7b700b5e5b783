"""The hashing of passwords, which is slow on purpose: by a thread that gives way to all others.

Who may have one hashed, and in which order, is a matter of requests: `league.ops.bounds`. Beside it what the
server itself makes at random, which nobody guesses and a fast hash protects enough.
"""

import os
import secrets
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

_NICE: Final = 19


@cache
def _worker() -> ThreadPoolExecutor:
    """Return the thread that hashes, made at the first use: a process that forks has none before."""
    return ThreadPoolExecutor(1, "hashing", initializer=_give_way)


def _give_way() -> None:
    """Let all other threads have the processor first; elsewhere than on Linux that would slow the process."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


class OneByOneHasher(PBKDF2PasswordHasher):
    """Django's usual hasher, which hashes one password at a time in each process."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password."""
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
