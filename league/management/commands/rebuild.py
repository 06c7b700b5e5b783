"""`manage.py rebuild`: delete all derived data and compute them again from the logs."""

import json
import os
import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db.models import Sum
from tqdm import tqdm

from games import release
from games.models import Game
from league.models import Competition
from league.ops.folders import TOP
from league.services.rebuilding import Place, rebuild


class Command(BaseCommand):
    """Rebuilds heads of games, rows and standings of competitions, and ratings from the logs."""

    help = (
        "Delete all derived data and compute them again from the logs, on all cores. The service can keep "
        "running. A rebuild that was interrupted goes on where it stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        cores = os.cpu_count() or 1
        parser.add_argument("--processes", type=int, default=cores, help=f"processes that share it ({cores})")
        parser.add_argument("--anew", action="store_true", help="begin again after an interruption")

    def handle(self, *, processes: int, anew: bool, **_: Any) -> None:
        if processes < 1:
            raise CommandError("There must be at least one process.")
        mark = Mark(Path(settings.DATA_DIR) / "rebuild.json")
        since = Place() if anew else mark.read()
        if since.after:
            self.stdout.write(f"Going on after {since.after} of the {since.stage}, where a rebuild stopped.")
        wrong = 0
        with tqdm(total=Game.objects.aggregate(total=Sum("seq"))["total"], unit=" entries") as shown:
            for step in rebuild(processes=processes, since=since):
                shown.set_description(step.place.stage)
                shown.update(step.entries)
                for each in step.wrong:
                    self.stdout.write(each)
                    wrong += 1
                mark.write(step.place)
        mark.remove()
        if wrong:
            sys.exit(1)
        self.stdout.write(
            f"Rebuilt {Game.objects.count()} games and {Competition.objects.count()} competitions."
        )


class Mark:
    """A file that says how far a rebuild has come, as long as none has come to its end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._release = release.fingerprint() + release.digest_of(TOP / "league")

    def read(self) -> Place:
        """Return where a rebuild by this release was interrupted, the beginning if none was."""
        with suppress(FileNotFoundError, ValueError, KeyError):
            kept = json.loads(self._file.read_text())
            if kept["release"] == self._release:
                return Place(kept["stage"], UUID(kept["after"]))
        return Place()

    def write(self, place: Place) -> None:
        """Write down that everything up to a place is done."""
        half = self._file.with_suffix(".half")
        half.write_text(
            json.dumps({"release": self._release, "stage": place.stage, "after": str(place.after)})
        )
        half.replace(self._file)

    def remove(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)
