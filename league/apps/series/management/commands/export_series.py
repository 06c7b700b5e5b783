"""`manage.py export_series`: a series with all its competitions in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from league.apps.series import queries
from league.apps.series.models import Series
from league.management.shared import write_lines
from league.queries.readers import reading_as_people_of


class Command(BaseCommand):
    """Writes the file for `python -m league.verify`."""

    help = "Write a series with all its competitions and their games to a file, to verify it elsewhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="the club's slug")
        parser.add_argument("slug", help="the series' slug")
        parser.add_argument("file", type=Path, help="the file to write")
        parser.add_argument("--replace", action="store_true", help="replace an existing file")

    def handle(self, *, club: str, slug: str, file: Path, replace: bool, **_: Any) -> None:
        series = Series.objects.select_related("club").filter(club__slug=club, slug=slug).first()
        if series is None:
            raise CommandError(f"There is no series {slug} of a club {club}.")
        with reading_as_people_of(series.club_id):
            self.stdout.write(write_lines(file, queries.lines(series), replace=replace))
