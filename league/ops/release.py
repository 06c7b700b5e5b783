"""What tells one release from another."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from league.ops.folders import TOP

_FOLDERS: Final = ("api", "games", "league", "templates")
_WRITTEN: Final = {".py", ".html", ".txt", ".md", ".po", ".mo"}


@cache
def fingerprint() -> str:
    """Return a digest of all code, templates, translations and static files, 64 hex digits.

    The same ones make the same answers of the same rows.
    """
    files = (file for folder in _FOLDERS for file in (TOP / folder).rglob("*") if file.suffix in _WRITTEN)
    return hashlib.sha256(f"{static_fingerprint()}{_digest(files)}".encode()).hexdigest()


@cache
def static_fingerprint() -> str:
    """Return a digest of all static files, those of packages by their versions, 64 hex digits."""
    folders = [TOP / "static", *TOP.glob("league/apps/*/static")]
    own = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return _digest([*own, *TOP.glob("requirements.lock")])


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(f"{file.relative_to(TOP)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()
