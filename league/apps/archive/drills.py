"""Restoring a backup beside, in a database of its own, to see that it can be restored and is right."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings

from league.ops import backups, environment, processes
from league.ops.backups import NoBackup
from league.ops.folders import TOP
from league.ops.postgres import Postgres
from league.ops.servers import CannotServe

_NOT_THERE: Final = ("LOG_KEY_FILE", "DATABASE_DIRECT_URL", "DATABASE_SECONDS")
"""What would let it touch the signed log of the service, or its database."""
_LONGEST: Final = 2000


@dataclass(frozen=True)
class Outcome:
    """Whether a backup was restored and verified, and what was wrong."""

    well: bool
    said: str = ""


def tried(file: Path, database: Mapping[str, Any]) -> Outcome:
    """Restore a backup beside a database (Django's entry), verify everything in it, and remove it again.

    The new database is on the same server, or where the role may not make one there, on an embedded one.
    """
    room = backups.beside(database, "_drill") if backups.has_room_beside(database) else _embedded()
    try:
        with room as fresh:
            try:
                backups.load(fresh, file)
            except NoBackup as refusal:
                return Outcome(False, f"It cannot be restored: {refusal}"[:_LONGEST])
            for command in (("migrate", "--verbosity=0"), ("verify_logs", "--processes=1", "--stopped")):
                if said := run_on(fresh, *command):
                    return Outcome(False, f"It was restored, but is not right: {said}"[:_LONGEST])
    except (OSError, psycopg.Error, CannotServe, NoBackup) as error:
        return Outcome(False, f"There is no database to restore it into: {error}"[:_LONGEST])
    return Outcome(True)


def run_on(database: Mapping[str, Any], *arguments: str) -> str:
    """Run a command of manage.py on a database beside; return what it said if it failed."""
    with tempfile.TemporaryDirectory(prefix="trefoil-drill-") as folder:
        given = {name: value for name, value in os.environ.items() if name not in _NOT_THERE}
        given |= {
            "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
            "DATABASE_URL": backups.url(database),
            "DJANGO_SETTINGS_MODULE": "league.ops.settings",
            "PYTHONPATH": os.pathsep.join(filter(None, [str(TOP), os.environ.get("PYTHONPATH")])),
            "TREFOIL_DATA": folder,
        }
        ended = subprocess.run(
            [sys.executable, "-m", "django", *arguments],
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            preexec_fn=partial(processes.die_with, os.getpid(), signal.SIGKILL),
            check=False,
        )
    said = ended.stdout.strip() or f"{arguments[0]} ended with {ended.returncode}"
    return said if ended.returncode else ""


@contextmanager
def _embedded() -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="trefoil-drill-") as folder:
        Path(folder).chmod(0o711)
        server = Postgres(Path(folder), durable=False)
        server.start()
        try:
            yield environment.database(server.url)
        finally:
            server.stop()
