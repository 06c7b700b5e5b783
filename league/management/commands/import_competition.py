"""`manage.py import_competition`: a competition of another server, taken in from its file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.engine.refusals import Refusal
from league import services
from league.models import Club


class Command(BaseCommand):
    """Takes in what `export_competition` or the page of a competition gave."""

    help = "Take a finished competition of another server into a club. The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is taken in, and where."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", required=True, help="the address of the club that takes it in")

    def handle(self, *, file: Path, club: str, **_: Any) -> None:
        """Say where the competition is now. Raises CommandError."""
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"There is no club at {club}.")
        try:
            lines = file.read_text(encoding="utf-8").split("\n")
            imported = services.import_competition(club=found, lines=lines)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {error}") from None
        except Refusal as refusal:
            raise CommandError(refusal.sentence) from None
        was = "taken in" if imported.created else "here already, the same"
        self.stdout.write(
            f"{imported.competition.name}: {was}, at /competitions/{imported.competition.slug}/"
        )
