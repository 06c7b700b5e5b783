"""`manage.py beacon`: values of the public beacon from a file, for a server that cannot reach it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.engine.refusals import Refusal
from league.management.shared import reason_of
from league.services.automatic import keep_lines


class Command(BaseCommand):
    """Keeps the rounds in a file of the beacon's answers."""

    help = "Keep values of the public beacon from a file with one JSON object a line, as drand answers them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            kept = keep_lines(file.read_text(encoding="utf-8").splitlines())
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {reason_of(error)}") from None
        except Refusal as refusal:
            raise CommandError(refusal.sentence) from None
        self.stdout.write(f"{kept} rounds of the beacon are kept.")
