"""Secrets of an installation, generated once, and how passwords are hashed: slowly on purpose, by a thread
that gives way to all others.

Who may have a password hashed, and in which order, is a matter of requests: `league.ops.bounds`. Secrets that
the server itself makes at random nobody guesses, so a fast hash protects them enough.
"""

import contextlib
import os
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from league.ops import folders
from league.ops.environment import BadSetting

_LEAST: Final = 50
"""How many characters the key of the site has, so that nobody guesses it."""
T = TypeVar("T")


def long() -> str:
    """Return a new long secret."""
    return secrets.token_urlsafe(64)


def new_salt() -> str:
    """Return a random salt, from which a secret is derived that is not stored."""
    return secrets.token_hex(16)


class Damaged(BadSetting):
    """The file of a secret doesn't hold one; the message names the file, and has nothing of its content."""


def kept_in(path: Path, make: Callable[[], str] = long) -> str:
    """Return the secret in a file, generated if there is none; all processes get the same one."""
    if not path.exists():
        folders.own_folder(path.parent, 0o711)
        # Another process, or another thread, may just have made it.
        with contextlib.suppress(FileExistsError):
            folders.write(path, make(), mode=0o600)
    return held_in(path, str.strip)


def of_site(given: str, path: Path) -> str:
    """Return the secret key of the site: what is given, else what is in a file.

    Raises `Damaged`, and BadSetting where what is given is short.
    """
    if given and len(given) < _LEAST:
        raise BadSetting(f"SECRET_KEY has fewer than {_LEAST} characters.")
    key = given or kept_in(path)
    if len(key) < _LEAST:
        raise _damaged(path)
    return key


def held_in(path: Path, read: Callable[[str], T]) -> T:
    """Return what a secret's file holds, as ``read`` reads it; raise `Damaged` and FileNotFoundError."""
    # Raised apart from what is wrong: that would show the secret in a log.
    try:
        with contextlib.suppress(ValueError):
            return read(folders.plain(path).read_bytes().decode())
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Damaged(f"{path} cannot be read: {error.strerror}.") from None
    raise _damaged(path)


def _damaged(path: Path) -> Damaged:
    return Damaged(f"{path} is damaged. Put its content from the packed keys or a copy back.")


# ---- Hashes --------------------------------------------------------------------------------------

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
