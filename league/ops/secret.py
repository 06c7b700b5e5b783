"""Secrets of an installation, generated once."""

import contextlib
import secrets
from collections.abc import Callable
from pathlib import Path

from league.ops import durable, folders


def long() -> str:
    """Return a new long secret."""
    return secrets.token_urlsafe(64)


def new_salt() -> str:
    """Return a random salt, from which a secret is derived that is not stored."""
    return secrets.token_hex(16)


def kept_in(path: Path, make: Callable[[], str] = long) -> str:
    """Return the secret in a file, generated if there is none; all processes get the same one."""
    if not path.exists():
        folders.own_folder(path.parent, 0o711)
        # Another process, or another thread, may just have made it.
        with contextlib.suppress(FileExistsError):
            durable.write(path, make(), mode=0o600)
    return path.read_text().strip()
