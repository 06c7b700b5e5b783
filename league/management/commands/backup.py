"""`manage.py backup`: write the whole database to a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

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
        parser.add_argument("file", type=Path, help="the file to write; an existing one is replaced")

    def handle(self, *, file: Path, **_: Any) -> None:
        began = database_time.asked()
        try:
            backups.dump(connection.settings_dict, file)
        except backups.NoBackup as refusal:
            raise CommandError(str(refusal)) from None
        PeriodicRun.objects.update_or_create(name="backup", defaults={"began_at": began})
        self.stdout.write(f"{file}: {file.stat().st_size} bytes. Keep it where nobody else can read it.")
