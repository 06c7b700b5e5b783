"""`manage.py export_competition`: a competition with all its games in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from league.management.shared import write_lines
from league.models import Competition
from league.queries import verification
from league.queries.readers import reading_as_people_of


class Command(BaseCommand):
    """Writes the file for `python -m league.verify` and `import_competition`."""

    help = "Write a competition with all its games to a file, to verify or import elsewhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the competition's slug")
        parser.add_argument("file", type=Path, help="the file to write")
        parser.add_argument("--replace", action="store_true", help="replace an existing file")

    def handle(self, *, slug: str, file: Path, replace: bool, **_: Any) -> None:
        competition = Competition.objects.select_related("club").filter(slug=slug).first()
        if competition is None:
            raise CommandError(f"There is no competition {slug}.")
        with reading_as_people_of(competition.club_id):
            self.stdout.write(write_lines(file, verification.lines(competition), replace=replace))
