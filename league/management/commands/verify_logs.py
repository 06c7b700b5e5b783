"""`manage.py verify_logs`: every log checked and replayed, and each difference printed."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.models import Game
from league import gate
from league.models import Competition


class Command(BaseCommand):
    """Checks chains, moves, events, draws and results, and all that is kept beside the logs."""

    help = "Check and replay every log; exits with 1 and prints each difference. Changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be left out."""
        parser.add_argument("--without-draws", action="store_true", help="make no draw again: quicker")

    def handle(self, *, without_draws: bool, **_: Any) -> None:
        """Print a line for everything that is wrong, or how much is right."""
        wrong = 0
        for problem in gate.differences(draws=not without_draws):
            self.stdout.write(problem)
            wrong += 1
        if wrong:
            sys.exit(1)
        self.stdout.write(
            f"{Game.objects.count()} games and {Competition.objects.count()} competitions hold."
        )
