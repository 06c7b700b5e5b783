"""Restore drills: last night's backup restored beside and verified, and what came of it."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import connection

from games import database_time
from league.apps.archive.models import RestoreDrill
from league.hooks import upkeep
from league.ops import backups, environment
from league.ops.backups import NoBackup
from league.ops.folders import TOP
from league.ops.postgres import Postgres
from league.ops.servers import CannotServe

_LONGEST: Final = 2000


def newest_backup() -> Path | None:
    """Return the newest backup in `BACKUP_FOLDER`, None where there is none."""
    found = Path(settings.BACKUP_FOLDER).glob("*.dump") if settings.BACKUP_FOLDER else ()
    return max(found, key=lambda file: (file.stat().st_mtime, file.name), default=None)


def begin() -> None:
    """Let a process of its own hold a drill, which may take longer than any task, if there is a backup."""
    if newest_backup():
        subprocess.Popen([sys.executable, "-m", "django", "restore_drill"], cwd=TOP, start_new_session=True)


def hold(file: Path) -> RestoreDrill:
    """Restore a backup beside and verify it; return what came of it, which is kept."""
    at, began = database_time.asked(), monotonic()
    database = connection.settings_dict
    wrong = trouble(file, database.get("DIRECT", database))
    said = wrong or next(filter(None, (each.lacking() for each in upkeep.KEYS)), "")
    seconds = round(monotonic() - began)
    return RestoreDrill.objects.create(at=at, file=file.name, well=not wrong, said=said, seconds=seconds)


def trouble(file: Path, database: Mapping[str, Any]) -> str:
    """Return what is wrong with a backup, restored beside a database (Django's entry), verified and removed.

    The new database is on the same server, or where the role may not make one there, on an embedded one.
    """
    room = backups.beside(database, "_drill") if backups.has_room_beside(database) else _embedded()
    try:
        with room as fresh:
            try:
                backups.load(fresh, file)
            except NoBackup as refusal:
                return f"It cannot be restored: {refusal}"[:_LONGEST]
            for command in (("migrate", "--verbosity=0"), ("verify_logs", "--processes=1", "--stopped")):
                if said := backups.run_on(fresh, *command):
                    return f"It was restored, but is not right: {said}"[:_LONGEST]
    except (OSError, psycopg.Error, CannotServe, NoBackup) as error:
        return f"There is no database to restore it into: {error}"[:_LONGEST]
    return ""


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
