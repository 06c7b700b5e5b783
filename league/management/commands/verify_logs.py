"""`manage.py verify_logs`: every log checked, and the results that competitions took from games."""

import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from games import log as games
from games.models import Game
from games.verify import WrongLog
from league import log
from league.competition.events import ResultRecorded, read
from league.models import Competition


class Command(BaseCommand):
    """Checks chains, moves, events and results, and that what follows the logs is as far as they are."""

    help = "Check every log; exits with 1 and names what is wrong."

    def handle(self, **_: Any) -> None:
        """Print a line for everything that is wrong, or how much is right."""
        problems = [*wrong_games(), *wrong_competitions()]
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            sys.exit(1)
        self.stdout.write(
            f"{Game.objects.count()} games and {Competition.objects.count()} competitions hold."
        )


def wrong_games() -> Iterator[str]:
    """Yield a sentence for each game whose log, or whose head, is wrong."""
    for game in Game.objects.order_by("pk").iterator():
        try:
            report = games.verified(game)
        except WrongLog as wrong:
            yield f"game {game.pk}: {wrong}"
        else:
            if (report.entries, report.head) != (game.seq, game.head):
                yield f"game {game.pk}: its head is not where its log ends"


def wrong_competitions() -> Iterator[str]:
    """Yield a sentence for each competition whose log, head or recorded results are wrong."""
    for competition in Competition.objects.order_by("pk").iterator():
        try:
            log.verified(competition)
        except WrongLog as wrong:
            yield f"competition {competition.slug}: {wrong}"
        else:
            yield from _wrong_results(competition)


def _wrong_results(competition: Competition) -> Iterator[str]:
    told = log.entries(competition)
    if (told[-1].seq, told[-1].hash) != (competition.seq, competition.head):
        yield f"competition {competition.slug}: its head is not where its log ends"
    for entry in told:
        event = read(entry.event)
        if isinstance(event, ResultRecorded) and not _is_of_its_game(event):
            yield f"competition {competition.slug}: entry {entry.seq} does not tell how its game ended"


def _is_of_its_game(event: ResultRecorded) -> bool:
    game = Game.objects.filter(pk=event.game).first()
    if game is None:
        return False
    seats = game.result["seats"] if game.result else []
    told = [{"seat": each.seat, "rank": each.rank, "score": each.score} for each in event.seats]
    return (game.head, game.status, seats) == (event.head, event.status, told)
