"""Restoring a backup beside, in a database of its own, to see that it can be restored and is right."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import psycopg
from django.conf import settings
from psycopg import errors, sql

from league.ops.backups import LIBPQ, address
from league.ops.folders import TOP
from league.ops.postgres import Postgres
from league.ops.servers import CannotServe

_STEPS: Final = (("restore", "It cannot be restored"), ("verify_logs", "It was restored, but is not right"))
_NOT_THERE: Final = ("LOG_KEY_FILE", "DATABASE_DIRECT_URL", "DATABASE_SECONDS")
"""What would let it touch the signed log of the service, or its database."""
_LONGEST: Final = 2000
_SUFFIX: Final = "_drill"


@dataclass(frozen=True)
class Outcome:
    """Whether a backup was restored and verified, and what was wrong."""

    well: bool
    said: str = ""


def tried(file: Path, database: Mapping[str, Any]) -> Outcome:
    """Restore a backup beside a database (Django's entry), verify everything in it, and remove it again.

    The new database is on the same server, or where the role may not make one there, on an embedded one.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="trefoil-drill-") as folder, _beside(database) as url:
            for command, wrong in _STEPS:
                if said := _run(_arguments(command, file), url, folder):
                    return Outcome(False, f"{wrong}: {said}"[:_LONGEST])
    except (OSError, psycopg.Error, CannotServe) as error:
        return Outcome(False, f"There is no database to restore it into: {error}"[:_LONGEST])
    return Outcome(True)


def _arguments(command: str, file: Path) -> Sequence[str]:
    return (command, str(file)) if command == "restore" else (command, "--processes=1")


def _run(arguments: Sequence[str], url: str, folder: str) -> str:
    """Run a command on the new database; return what it said if it failed."""
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_THERE}
    environment |= {
        "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "league.ops.settings",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(TOP), os.environ.get("PYTHONPATH")])),
        "TREFOIL_DATA": folder,
    }
    command = [sys.executable, "-m", "django", *arguments]
    ended = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    said = ended.stdout.strip() or f"{arguments[0]} ended with {ended.returncode}"
    return said if ended.returncode else ""


@contextmanager
def _beside(database: Mapping[str, Any]) -> Iterator[str]:
    """Provide the URL of an empty database, which is removed afterwards."""
    try:
        with _on_its_server(database) as url:
            yield url
    except errors.InsufficientPrivilege:
        with _embedded() as url:
            yield url


@contextmanager
def _on_its_server(database: Mapping[str, Any]) -> Iterator[str]:
    name = f"{database['NAME']}{_SUFFIX}"
    with psycopg.connect(address(database), password=database.get("PASSWORD"), autocommit=True) as connection:
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        try:
            yield _url(database, name)
        finally:
            connection.execute(drop)


@contextmanager
def _embedded() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="trefoil-drill-") as folder:
        Path(folder).chmod(0o711)
        server = Postgres(Path(folder), durable=False)
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


def _url(database: Mapping[str, Any], name: str) -> str:
    user, password = (
        quote(database.get("USER") or "", safe=""),
        quote(database.get("PASSWORD") or "", safe=""),
    )
    options = {key: value for key, value in database.get("OPTIONS", {}).items() if key in LIBPQ}
    query = urlencode({**options, **({"host": database["HOST"]} if database.get("HOST") else {})})
    port = f":{database['PORT']}" if database.get("PORT") else ""
    return f"postgresql://{user}{':' if password else ''}{password}@{port}/{quote(name, safe='')}?{query}"
