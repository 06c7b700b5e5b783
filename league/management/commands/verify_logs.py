"""`manage.py verify_logs`: check and replay every log, and print each difference."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from games.models import Game
from league.management.shared import SharedCommand
from league.models import Competition
from league.services import gate
from league.services.shares import Place, Step


class Command(SharedCommand):
    """Checks chains, moves, events, draws and results, and all derived data."""

    help = (
        "Check and replay every log, on all cores; exits with 1 and prints each difference. Changes nothing. "
        "A check that was interrupted goes on where it stopped."
    )
    mark, noun = "verify_logs.json", "a check"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--without-draws", action="store_true", help="do not repeat draws (quicker)")
        parser.add_argument(
            "--changed", action="store_true", help="only what has changed since it was last found good"
        )

    def handle(self, *, processes: int, anew: bool, without_draws: bool, changed: bool, **_: Any) -> None:
        def begin(since: Place) -> Iterator[Step]:
            return gate.verify(processes=processes, since=since, draws=not without_draws, changed=changed)

        if self.walk(begin, processes=processes, anew=anew, draws=not without_draws, changed=changed):
            sys.exit(1)
        games, competitions = Game.kept.count(), Competition.objects.count()
        self.stdout.write(f"Every log is correct: games {games}, competitions {competitions}.")
