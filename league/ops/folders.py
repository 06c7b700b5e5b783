"""Folders: each checkout has its own data folder."""

import errno
import os
import stat
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STATE = Path("/var/lib/trefoil")

# The path of a unix socket can have 104 bytes on macOS, 108 on Linux; the longest socket name has 14.
_SOCKET_FOLDER_BYTES = 80


def data_folder() -> Path:
    """Return this checkout's data folder: `TREFOIL_DATA`, else `.data` beside manage.py."""
    return Path(os.environ.get("TREFOIL_DATA") or TOP / ".data").absolute()


def noted_address() -> str:
    """Return the URL at which this checkout serves, or last did, empty for none."""
    note = _note()
    return note.read_text(errors="replace") if note.exists() else ""


def note_address(url: str) -> None:
    """Write down the URL at which this checkout serves, for other commands; empty before it does."""
    _note().write_text(url)


def _note() -> Path:
    return plain(data_folder() / "address")


def plain(path: Path) -> Path:
    """Return the path of a file of ours. Raises OSError for a pipe or device, which may never open."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "It is no plain file", str(path))
    return path


def own_folder(path: Path, mode: int) -> Path:
    """Return a folder; it and its missing parents are made with exactly this mode. Raises OSError."""
    if not os.path.lexists(path):
        own_folder(path.parent, mode)
        path.mkdir(exist_ok=True)
        path.chmod(mode)
    if not path.is_dir():
        why = "It is a link that leads to no folder" if path.is_symlink() else os.strerror(errno.ENOTDIR)
        raise NotADirectoryError(errno.ENOTDIR, why, str(path))
    return path


def open_up(folder: Path) -> None:
    """Let every user read and execute in a folder what its owner can."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            owners = path.stat().st_mode & 0o500
            path.chmod(path.stat().st_mode | owners >> 3 | owners >> 6)


def socket_folder(home: Path) -> Path:
    """Return the folder for the socket of a server: inside `home`, or in /tmp if that path is too long."""
    inside = home / "run"
    if len(os.fsencode(inside)) <= _SOCKET_FOLDER_BYTES:
        return inside
    return Path("/tmp") / f"trefoil-{name_of(home)}"


def name_of(path: Path) -> str:
    """Return a short unique name for a path."""
    import hashlib  # OpenSSL takes megabytes, and few paths need a name

    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def open_to_all(path: Path) -> bool:
    """Return whether every user can pass through the existing folders above `path`."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents if parent.exists())
