"""`manage.py import_competition`: import a competition of another server from its file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.engine.refusals import Refusal
from games.verify import NotText, lines_of
from league.apps.exchange.services import import_competition
from league.management.shared import reason_of
from league.models import Club


class Command(BaseCommand):
    """Imports a file of `export_competition` or of a competition's page."""

    help = "Import a finished competition of another server into a club. Repeating this changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", required=True, help="the slug of the club")

    def handle(self, *, file: Path, club: str, **_: Any) -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"There is no club {club}.")
        try:
            imported = import_competition(club=found, lines=lines_of(str(file)))
        except (OSError, NotText) as error:
            raise CommandError(f"{file} cannot be read: {reason_of(error)}") from None
        except Refusal as refusal:
            raise CommandError(refusal.sentence) from None
        was = "imported" if imported.created else "already here, unchanged"
        self.stdout.write(f"{imported.row.name}: {was}, at /competitions/{imported.row.slug}/")
