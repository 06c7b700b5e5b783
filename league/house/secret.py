"""The secret of one installation, made once."""

import contextlib
import os
import secrets
from pathlib import Path


def kept_in(path: Path) -> str:
    """Return the secret that a file holds, made first where there is none; every process gets the same."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(64))
        # A link refuses to replace what another process made a moment ago.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text().strip()
