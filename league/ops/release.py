"""What tells one release from another."""

import hashlib
from functools import cache
from typing import Final

from league.ops.folders import TOP

_FOLDERS: Final = ("api", "games", "league", "templates")
_WRITTEN: Final = {".py", ".html", ".txt", ".md", ".po", ".mo"}


@cache
def fingerprint() -> str:
    """Return a digest of all code, templates and translations, 64 hex digits.

    The same ones make the same answers of the same rows.
    """
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for file in sorted((TOP / folder).rglob("*")):
            if file.suffix in _WRITTEN:
                digest.update(f"{file.relative_to(TOP)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()
