"""`manage.py archive_logs`: move the log entries of a month's games to a file."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games import archiving
from games.verifier import WrongLog
from league.ops import folders


class Command(BaseCommand):
    """Writes the file for `restore_logs`."""

    help = "Move the log entries of the games that were opened in a month to a file, for `restore_logs`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("month", help="the month by UTC, as 2026-11")
        parser.add_argument("file", type=Path, help="the file to write; another one of this name is refused")

    def handle(self, *, month: str, file: Path, **_: Any) -> None:
        try:
            made = archiving.archive(
                datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC), folders.writing(file)
            )
        except ValueError:
            raise CommandError(f"{month} is no month.") from None
        except (archiving.NotArchived, WrongLog) as refusal:
            raise CommandError(f"Nothing was archived. {refusal}") from None
        self.stdout.write(f"{file}: games {made.games}, entries {made.entries}, SHA-256 {made.digest}")
