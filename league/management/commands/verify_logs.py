"""`manage.py verify_logs`: check and replay every log, and print each difference."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.models import Game
from league.models import Competition
from league.services import gate


class Command(BaseCommand):
    """Checks chains, moves, events, draws and results, and all derived data."""

    help = "Check and replay every log; exits with 1 and prints each difference. Changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--without-draws", action="store_true", help="do not repeat draws (quicker)")

    def handle(self, *, without_draws: bool, **_: Any) -> None:
        wrong = 0
        for problem in gate.differences(draws=not without_draws):
            self.stdout.write(problem)
            wrong += 1
        if wrong:
            sys.exit(1)
        games, competitions = Game.objects.count(), Competition.objects.count()
        self.stdout.write(f"Every log is correct: games {games}, competitions {competitions}.")
