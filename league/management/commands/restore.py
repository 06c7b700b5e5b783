"""`manage.py restore`: restore the database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connection

from league.models import Account
from league.ops import backups
from league.services import signing


class Command(BaseCommand):
    """Restores a file of `backup` and migrates it to this release."""

    help = "Restore the database from a file of `manage.py backup`. The present data are lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace a database that has data")

    def handle(self, *, file: Path, replace: bool, **_: Any) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if not replace and has_data():
            raise CommandError("The database has data. With --replace all of them are lost.")
        try:
            backups.load(connection.settings_dict, file)
        except backups.NoBackup as refusal:
            raise CommandError(f"Nothing was restored: {refusal}") from None
        call_command("migrate", verbosity=0)
        if signing.is_behind():
            signing.declare_epoch("The database was restored from a backup.")
            self.stdout.write("What the signed log published since the backup is lost: a new epoch tells so.")
        self.stdout.write("The database is restored. `manage.py verify_logs` checks it.")


def has_data() -> bool:
    """Return whether the database has an account."""
    known = Account._meta.db_table in connection.introspection.table_names()
    return known and Account.objects.exists()
