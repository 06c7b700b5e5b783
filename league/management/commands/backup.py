"""`manage.py backup`: the whole database in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db import connection

from league.house import backups


class Command(BaseCommand):
    """Writes what `restore` puts back. Whoever has the file has every seed, address and password's hash."""

    help = "Write the whole database to a file, for `manage.py restore`. The service may run meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where to."""
        parser.add_argument("file", type=Path, help="the file to write; one that is there is replaced")

    def handle(self, *, file: Path, **_: Any) -> None:
        """Write the file and say how long it is. Raises CommandError."""
        try:
            backups.dump(connection.settings_dict, file)
        except backups.NoBackup as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"{file}: {file.stat().st_size} bytes. Keep it where nobody else reads it.")
