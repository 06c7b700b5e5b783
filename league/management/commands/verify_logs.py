"""`manage.py verify_logs`: check and replay every log, and print each difference."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from games import partitions
from games.models import Game
from league.hooks import upkeep
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
        parser.add_argument(
            "--changed", action="store_true", help="only what has changed since it was last found good"
        )
        parser.add_argument(
            "--stopped",
            action="store_true",
            help="what workers had no time to do before they stopped is no fault, as in a database that was "
            "restored; since when they stopped is the database's own word",
        )
        for check in upkeep.CHECKS:
            check.add_arguments(parser)

    def handle(
        self, *, processes: int, anew: bool, changed: bool, stopped: bool = False, **more: Any
    ) -> None:
        def begin(since: Place) -> Iterator[Step]:
            return gate.verify(processes=processes, since=since, changed=changed, stopped=stopped)

        wrong = self.walk(begin, processes=processes, anew=anew, changed=changed, stopped=stopped)
        for check in upkeep.CHECKS:
            for problem in check.differences({**more, "stopped": stopped}):
                self.stdout.write(problem)
                wrong += 1
            for remark in check.remarks():
                self.stdout.write(remark)
        if wrong:
            sys.exit(1)
        if archived := partitions.archived(Game.kept.all()).count():
            self.stdout.write(f"Not checked, since their logs are in archives: games {archived}.")
        if rounds := gate.beacon_rounds():
            told = ", ".join(map(str, rounds))
            self.stdout.write(
                f"Unchecked: the values of the beacon's rounds {told}. To compare them with the beacon's "
                "own, give these to `league.verify FILE --beacon VALUES`."
            )
        games, competitions = Game.kept.count(), Competition.objects.count()
        self.stdout.write(f"Every log is correct: games {games}, competitions {competitions}.")
