"""Where things lie: everything of one checkout in its own data folder, nothing global."""

import hashlib
import os
import stat
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STATE = Path("/var/lib/trefoil")

# A unix socket's whole path has 104 bytes on macOS, 108 on Linux; the longest socket name takes 14 of them.
_SOCKET_FOLDER_BYTES = 80


def data_folder() -> Path:
    """Return the folder of all that this checkout keeps: `TREFOIL_DATA`, else `.data` beside manage.py."""
    return Path(os.environ.get("TREFOIL_DATA") or TOP / ".data").absolute()


def noted_address() -> str:
    """Return the address at which this checkout last began to serve, an empty text if it never did."""
    note = _note()
    return note.read_text() if note.exists() else ""


def note_address(url: str) -> None:
    """Note where this checkout serves now, for commands that want to use the service."""
    _note().write_text(url)


def _note() -> Path:
    return data_folder() / "address"


def own_folder(path: Path, mode: int) -> Path:
    """Return a folder, made like its parents with exactly this mode if missing. What exists isn't touched."""
    if not path.exists():
        own_folder(path.parent, mode)
        path.mkdir(exist_ok=True)
        path.chmod(mode)
    return path


def open_up(folder: Path) -> None:
    """Let every user do what the owner may, but for writing, with a folder of ours and all that is in it."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            owners = path.stat().st_mode & 0o500
            path.chmod(path.stat().st_mode | owners >> 3 | owners >> 6)


def socket_folder(home: Path) -> Path:
    """Return where the server of `home` puts its socket: inside, or under /tmp when that path is too long."""
    inside = home / "run"
    if len(os.fsencode(inside)) <= _SOCKET_FOLDER_BYTES:
        return inside
    return Path("/tmp") / f"trefoil-{name_of(home)}"


def name_of(path: Path) -> str:
    """Return a short name that stands for a path and no other."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def open_to_all(path: Path) -> bool:
    """Say whether every user may pass through the folders above `path`; one yet to be made counts as open."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents if parent.exists())
