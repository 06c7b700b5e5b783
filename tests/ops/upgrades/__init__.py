"""Data of each release, as its first users may have them: later ones must upgrade them."""

import os
import tarfile
from pathlib import Path
from typing import Final

from league.ops import processes

FILES: Final = Path(__file__).with_name("files")


def pack(folder: Path, file: Path) -> None:
    """Write a data folder of a service that has ended to a file."""
    with tarfile.open(file, "w:xz", preset=9) as packed:
        packed.add(folder, "data", filter=lambda member: None if member.name == "data/mail" else member)


def unpack(file: Path, folder: Path) -> None:
    """Fill a data folder from such a file; its cluster belongs to the user who runs servers here."""
    with tarfile.open(file) as packed:
        for member in packed.getmembers():
            member.name = os.path.relpath(member.name, "data")
            packed.extract(member, folder, filter="tar")
    if user := processes.server_user():
        for path in [folder / "postgres", *(folder / "postgres").rglob("*")]:
            os.chown(path, user.uid, user.gid, follow_symlinks=False)
