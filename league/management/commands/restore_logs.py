"""`manage.py restore_logs`: bring the log entries of an archive back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games import archiving
from games.verifier import WrongLog
from league.services import tampering


class Command(BaseCommand):
    """Restores a file of `archive_logs`."""

    help = "Bring the log entries of a file of `archive_logs` back into the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            made = archiving.restore(file, tampering.of_games)
        except (archiving.NotArchived, WrongLog) as refusal:
            raise CommandError(f"Nothing was restored. {refusal}") from None
        self.stdout.write(f"Restored {made.partition}: games {made.games}, entries {made.entries}")
