"""`manage.py backup`: write the whole database to a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db import connection

from games import database_time
from league.models import PeriodicRun
from league.ops import backups


class Command(BaseCommand):
    """Writes the file for `restore`. It contains all seeds, addresses and password hashes."""

    help = "Write the whole database to a file, for `manage.py restore`. The service can keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="the file to write, replacing one that is there; else a new one in BACKUP_FOLDER",
        )

    def handle(self, *, file: Path | None, **_: Any) -> None:
        began = database_time.asked()
        if file is None:
            if not settings.BACKUP_FOLDER:
                raise CommandError("Name a file, or set BACKUP_FOLDER.")
            file = Path(settings.BACKUP_FOLDER) / f"trefoil-{began:%Y-%m-%d-%H%M}.dump"
        try:
            backups.dump(connection.settings_dict, file)
        except backups.NoBackup as refusal:
            raise CommandError(str(refusal)) from None
        PeriodicRun.objects.update_or_create(name="backup", defaults={"began_at": began})
        self.stdout.write(f"{file}: {file.stat().st_size} bytes. Keep it where nobody else can read it.")
