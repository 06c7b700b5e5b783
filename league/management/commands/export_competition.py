"""`manage.py export_competition`: a competition with all its games in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from league import exporting
from league.models import Competition


class Command(BaseCommand):
    """Writes the file that `python -m league.verify` checks and `import_competition` takes in."""

    help = "Write a competition with all its games to one file, to be checked or taken in elsewhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare which competition goes where."""
        parser.add_argument("slug", help="the competition's address")
        parser.add_argument("file", type=Path, help="the file to write; one that is there is replaced")

    def handle(self, *, slug: str, file: Path, **_: Any) -> None:
        """Write the file and say how long it is. Raises CommandError."""
        competition = Competition.objects.select_related("club").filter(slug=slug).first()
        if competition is None:
            raise CommandError(f"There is no competition at {slug}.")
        half = file.with_name(f"{file.name}.half")
        try:
            with half.open("w", encoding="utf-8", newline="\n") as opened:
                opened.writelines(f"{line}\n" for line in exporting.lines(competition))
            half.replace(file)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")
