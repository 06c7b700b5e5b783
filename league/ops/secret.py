"""Secrets of an installation, generated once."""

import contextlib
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from league.ops import durable, folders
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
            durable.write(path, make(), mode=0o600)
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
