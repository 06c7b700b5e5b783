"""`manage.py restore`: the database as a backup has it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand
from django.db import connection

from league.house import backups
from league.models import Account


class Command(BaseCommand):
    """Puts back what `backup` wrote, and brings it up to this release."""

    help = "Put the database back as `manage.py backup` wrote it. What is there now is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is put back."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="throw away a database that holds something"
        )

    def handle(self, *, file: Path, replace: bool, **_: Any) -> None:
        """Put it back whole or leave everything as it is. Raises CommandError."""
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if not replace and holds_something():
            raise CommandError("The database here holds something. With --replace all of it is thrown away.")
        try:
            backups.load(connection.settings_dict, file)
        except backups.NoBackup as refusal:
            raise CommandError(f"Nothing was put back: {refusal}") from None
        call_command("migrate", verbosity=0)
        self.stdout.write("Everything is back. `manage.py verify_logs` checks it.")


def holds_something() -> bool:
    """Return whether anybody ever used this database."""
    known = Account._meta.db_table in connection.introspection.table_names()
    return known and Account.objects.exists()
