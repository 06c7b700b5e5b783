"""Restore drills: last night's backup restored beside and verified, and what came of it."""

import subprocess
import sys
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.db import connection

from games import database_time
from league import hooks
from league.models import RestoreDrill
from league.ops import drill
from league.ops.folders import TOP


def newest_backup() -> Path | None:
    """Return the newest backup in `BACKUP_FOLDER`, None where there is none."""
    found = Path(settings.BACKUP_FOLDER).glob("*.dump") if settings.BACKUP_FOLDER else ()
    return max(found, key=lambda file: (file.stat().st_mtime, file.name), default=None)


def hold(file: Path) -> RestoreDrill:
    """Restore a backup beside and verify it; return what came of it, which is kept."""
    at, began = database_time.asked(), monotonic()
    database = connection.settings_dict
    outcome = drill.tried(file, database.get("DIRECT", database))
    seconds = round(monotonic() - began)
    said = outcome.said or next(filter(None, (each.lacking() for each in hooks.KEYS)), "")
    return RestoreDrill.objects.create(at=at, file=file.name, well=outcome.well, said=said, seconds=seconds)


def begin() -> None:
    """Let a process of its own hold a drill, which may take longer than any task, if there is a backup."""
    if newest_backup():
        subprocess.Popen([sys.executable, "-m", "django", "restore_drill"], cwd=TOP, start_new_session=True)
