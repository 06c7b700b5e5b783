"""Folders: each checkout has its own data folder. And files that are relied on: whole, and on the disk.

The supervisor, which stays small, imports this.
"""

import errno
import fcntl
import filecmp
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedRandom
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


# ---- Files that are whole ------------------------------------------------------------------------


@contextmanager
def writing(file: Path, *, replace: bool = False, mode: int = 0o666) -> Iterator[BufferedRandom]:
    """Provide a file to write and to read back; after the block it is at ``file``, and survives a power cut.

    Raises OSError; FileExistsError, at the end, where there is a file with other content that may not be
    replaced. What a link leads to is written, and a device or pipe is never replaced. Until then all is in a
    file that ends in `.half`, which one process at a time writes. If that is killed, the next one begins it
    again.
    """
    # `Path.resolve` raises no OSError for a link that leads to itself.
    file = Path(os.path.realpath(file))
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "not a file that could be replaced", str(file))
    half = file.with_name(f"{file.name}.half")
    with _only_here(half, mode) as opened:
        try:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
            _put(half, file, replace=replace)
        finally:
            if _is_at(half, opened):
                half.unlink()
    sync_folder(file.parent)


def write(file: Path, text: str, *, replace: bool = False, mode: int = 0o666) -> None:
    """Write a text to a file; see `writing`."""
    with writing(file, replace=replace, mode=mode) as opened:
        opened.write(text.encode())


def rename(file: Path, to: Path) -> None:
    """Rename a file that is on the disk, replacing another one."""
    file.replace(to)
    sync_folder(to.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names of a folder's files to the disk. Raises OSError, which says that they are there."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        why = f"{error.strerror}. What was written is there, and whole, but a power cut may undo it"
        raise OSError(error.errno, why, str(folder)) from error


@contextmanager
def _only_here(half: Path, mode: int) -> Iterator[BufferedRandom]:
    """Provide an empty file, once no other process has it."""
    while True:
        with os.fdopen(os.open(half, os.O_RDWR | os.O_CREAT, mode), "w+b") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX)
            if _is_at(half, opened):
                opened.truncate()
                yield opened
                return


def _is_at(path: Path, opened: BufferedRandom) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(opened.fileno()), path.stat())
    return False


def _put(half: Path, file: Path, *, replace: bool) -> None:
    if replace or (file.exists() and filecmp.cmp(half, file, shallow=False)):
        half.replace(file)
        return
    try:
        os.link(half, file)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        # A file system without links, as on a USB stick.
        if file.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from None
        half.rename(file)
