"""`manage.py restore_logs`: bring the log entries of an archive back."""

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games import archiving
from games.verifier import WrongLog
from league.hooks import upkeep


class Command(BaseCommand):
    """Restores a file of `archive_logs`."""

    help = "Bring the log entries of a file of `archive_logs` back into the database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            made = archiving.restore(
                file, lambda ids: chain.from_iterable(check.of_games(ids) for check in upkeep.CHECKS)
            )
        except (archiving.NotArchived, WrongLog) as refusal:
            raise CommandError(f"Nothing was restored. {refusal}") from None
        self.stdout.write(f"Restored {made.partition}: games {made.games}, entries {made.entries}")
