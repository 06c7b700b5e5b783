"""The whole database to a file and back, by PostgreSQL's own programs."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from psycopg.conninfo import make_conninfo

from league.house import programs
from league.house.servers import CannotServe

_NAMES: Final = {"NAME": "dbname", "USER": "user", "HOST": "host", "PORT": "port"}
_LIBPQ: Final = ("sslmode", "sslrootcert", "sslcert", "sslkey", "options", "connect_timeout")


class NoBackup(Exception):
    """A backup could not be made or put back; the message is the program's."""


def dump(database: Mapping[str, Any], file: Path) -> None:
    """Write all of a database, as of one moment, to a file that only its owner may read. Raises NoBackup.

    ``database`` is Django's entry of `DATABASES`. The service may run meanwhile.
    """
    half = file.with_name(f"{file.name}.half")
    try:
        half.touch(mode=0o600)
        _run("pg_dump", database, "--format=custom", "--no-owner", f"--file={half}")
        half.replace(file)
    except OSError as error:
        raise NoBackup(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        half.unlink(missing_ok=True)


def load(database: Mapping[str, Any], file: Path) -> None:
    """Put a database back as a file has it, in one transaction: all of it or nothing. Raises NoBackup."""
    whole = ("--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error")
    _run("pg_restore", database, *whole, str(file))


def _run(program: str, database: Mapping[str, Any], *arguments: str) -> None:
    command = [_program(program), "--no-password", f"--dbname={_address(database)}", *arguments]
    # Not on the command line, where every user of the machine could read it.
    secret = {"PGPASSWORD": database["PASSWORD"]} if database.get("PASSWORD") else {}
    ended = subprocess.run(
        command, env={**os.environ, **secret}, capture_output=True, text=True, errors="replace", check=False
    )
    if ended.returncode:
        raise NoBackup(ended.stderr.strip() or f"{program} ended with {ended.returncode}.")


def _program(name: str) -> str:
    """Return a program of PostgreSQL: that of the server's folder, else the one on PATH. Raises NoBackup."""
    try:
        beside: Sequence[Path] = [programs.found() / name]
    except CannotServe:
        beside = []
    found = next((str(path) for path in beside if path.exists()), None) or shutil.which(name)
    if found is None:
        raise NoBackup(f"There is no {name}. Install PostgreSQL's client programs.")
    return found


def _address(database: Mapping[str, Any]) -> str:
    """Return the database's address for libpq, without the password."""
    told = {libpq: database.get(name) for name, libpq in _NAMES.items()}
    chosen = {name: database.get("OPTIONS", {}).get(name) for name in _LIBPQ}
    return make_conninfo(**{name: value for name, value in {**told, **chosen}.items() if value})
