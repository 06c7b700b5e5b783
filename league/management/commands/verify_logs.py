"""`manage.py verify_logs`: check and replay every log, and print each difference."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from games import partitions
from games.engine.chain import stamp
from games.models import Game
from games.verify import NotText, lines_of
from league.management.shared import SharedCommand
from league.models import Competition
from league.queries.signed_log import gaps
from league.services import gate, tampering
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
        parser.add_argument(
            "--head",
            metavar="FILE",
            type=Path,
            action="append",
            default=[],
            help="a head of the signed log that was kept elsewhere; can be given several times",
        )

    def handle(
        self,
        *,
        processes: int,
        anew: bool,
        changed: bool,
        stopped: bool = False,
        head: Sequence[Path] = (),
        **_: Any,
    ) -> None:
        def begin(since: Place) -> Iterator[Step]:
            return gate.verify(processes=processes, since=since, changed=changed, stopped=stopped)

        try:
            given = ["\n".join(lines_of(str(file))) for file in head]
        except (OSError, NotText) as error:
            raise CommandError(str(error)) from None
        wrong = self.walk(begin, processes=processes, anew=anew, changed=changed, stopped=stopped)
        for problem in tampering.differences(given, stopped=stopped):
            self.stdout.write(problem)
            wrong += 1
        for since, until in gaps():
            told = (
                f"From {stamp(since)} to {stamp(until)} nothing was published, although entries were written."
            )
            self.stdout.write(told)
        if wrong:
            sys.exit(1)
        if archived := partitions.archived(Game.kept.all()).count():
            self.stdout.write(f"Not checked, since their logs are in archives: games {archived}.")
        if erased := tampering.erased():
            self.stdout.write(f"Not compared, since people were removed: {erased} leaves of the signed log.")
        if rounds := gate.beacon_rounds():
            told = ", ".join(map(str, rounds))
            self.stdout.write(
                f"Unchecked: the values of the beacon's rounds {told}. To compare them with the beacon's "
                "own, give these to `league.verify FILE --beacon VALUES`."
            )
        games, competitions = Game.kept.count(), Competition.objects.count()
        self.stdout.write(f"Every log is correct: games {games}, competitions {competitions}.")
