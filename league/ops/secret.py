"""Secrets of an installation, generated once."""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from league.ops import folders


def long() -> str:
    """Return a new long secret."""
    return secrets.token_urlsafe(64)


def kept_in(path: Path, make: Callable[[], str] = long) -> str:
    """Return the secret in a file, generated if there is none; all processes get the same one."""
    if not path.exists():
        folders.own_folder(path.parent, 0o711)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
        # A link fails if another process, or another thread, has just made the file.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
