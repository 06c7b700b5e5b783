"""Backups of the whole database, with PostgreSQL's own programs."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from psycopg.conninfo import make_conninfo

from league.ops import programs
from league.ops.servers import CannotServe

_NAMES: Final = {"NAME": "dbname", "USER": "user", "HOST": "host", "PORT": "port"}
_SECRETS: Final = "league_drawsecret"
"""The table of the secrets of draws, which no backup holds: competitions commit again (docs/draws.md)."""
LIBPQ: Final = ("sslmode", "sslrootcert", "sslcert", "sslkey", "options", "connect_timeout")


class NoBackup(Exception):
    """A backup could not be made or restored; the message says why."""


def dump(database: Mapping[str, Any], file: Path) -> None:
    """Write a consistent copy of a database to a file that only its owner can read. Raises NoBackup.

    ``database`` is Django's entry of `DATABASES`. The service can keep running.
    """
    half = file.with_name(f"{file.name}.half")
    try:
        half.touch(mode=0o600)
        _run(
            "pg_dump",
            database,
            "--format=custom",
            "--no-owner",
            f"--exclude-table-data={_SECRETS}",
            f"--file={half}",
        )
        half.replace(file)
    except OSError as error:
        raise NoBackup(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        half.unlink(missing_ok=True)


def load(database: Mapping[str, Any], file: Path) -> None:
    """Restore a database from a file in one transaction, completely or not at all. Raises NoBackup."""
    whole = ("--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error")
    _run("pg_restore", database, *whole, str(file))


def _run(program: str, database: Mapping[str, Any], *arguments: str) -> None:
    command = [_program(program), "--no-password", f"--dbname={address(database)}", *arguments]
    # Not on the command line, which every user of the machine can read.
    secret = {"PGPASSWORD": database["PASSWORD"]} if database.get("PASSWORD") else {}
    ended = subprocess.run(
        command, env={**os.environ, **secret}, capture_output=True, text=True, errors="replace", check=False
    )
    if ended.returncode:
        raise NoBackup(ended.stderr.strip() or f"{program} ended with {ended.returncode}.")


def _program(name: str) -> str:
    """Return the path of a PostgreSQL program: from the server's folder, else from PATH. Raises NoBackup."""
    try:
        beside_server = programs.found() / name
        if beside_server.exists():
            return str(beside_server)
    except CannotServe:
        pass
    on_path = shutil.which(name)
    if on_path is None:
        raise NoBackup(f"There is no {name}. Install PostgreSQL's client programs.")
    return on_path


def address(database: Mapping[str, Any]) -> str:
    """Return the database's address for libpq, without the password."""
    named = {libpq: database.get(name) for name, libpq in _NAMES.items()}
    options = {name: database.get("OPTIONS", {}).get(name) for name in LIBPQ}
    return make_conninfo(**{name: value for name, value in {**named, **options}.items() if value})
