"""The secret of one installation, made once."""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from league.house import places


def long() -> str:
    """Return a secret for machines."""
    return secrets.token_urlsafe(64)


def kept_in(path: Path, make: Callable[[], str] = long) -> str:
    """Return the secret that a file holds, made first where there is none; every process gets the same."""
    if not path.exists():
        places.own_folder(path.parent, 0o711)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
        # A link refuses to replace what another process made a moment ago.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
