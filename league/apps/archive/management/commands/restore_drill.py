"""`manage.py restore-drill`: restore the newest backup beside, verify it, and say how that went."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from league.apps.archive import drills


class Command(BaseCommand):
    """Restores a backup into a database of its own and verifies everything in it."""

    help = (
        "Restore the newest backup of BACKUP_FOLDER, or the one given, into a database of its own, verify "
        "it, and remove that database. The desk shows how it went. Exits with 1 if the backup is not good."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="a file of `manage.py backup`")

    def handle(self, *, file: Path | None, **_: Any) -> None:
        chosen = file or drills.newest_backup()
        if chosen is None or not chosen.is_file():
            raise CommandError(
                f"There is no file {file}." if file else "There is no backup in BACKUP_FOLDER."
            )
        held = drills.hold(chosen.absolute())
        if not held.well:
            self.stdout.write(f"{chosen} is no good backup. {held.said}")
            sys.exit(1)
        self.stdout.write(
            f"{chosen} was restored beside and verified in {held.seconds} seconds. All is right."
        )
        self.stdout.write(held.said or "It holds none of the files beside the database, such as keys.")
