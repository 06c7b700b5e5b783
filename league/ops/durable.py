"""Files that are relied on afterwards: whole and on the disk before anybody goes on."""

import errno
import fcntl
import filecmp
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedRandom
from pathlib import Path


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
