"""`manage.py rebuild`: delete all derived data and compute them again from the logs."""

import sys
from collections.abc import Iterator
from typing import Any

from games.models import Game
from league.hooks.upkeep import REBUILT
from league.management.shared import SharedCommand
from league.models import Competition
from league.services.rebuilding import rebuild
from league.services.shares import Place, Step


class Command(SharedCommand):
    """Rebuilds heads of games, rows and standings of competitions, ratings, and rows of apps."""

    help = (
        "Delete all derived data and compute them again from the logs, on all cores. The service can keep "
        "running. A rebuild that was interrupted goes on where it stopped."
    )
    mark, noun = "rebuild.json", "a rebuild"

    def handle(self, *, processes: int, anew: bool, **_: Any) -> None:
        def begin(since: Place) -> Iterator[Step]:
            return rebuild(processes=processes, since=since)

        if self.walk(begin, processes=processes, anew=anew):
            sys.exit(1)
        rebuilt = [f"{Game.kept.count()} games", f"{Competition.objects.count()} competitions"]
        rebuilt += [f"{each.model._default_manager.count()} {name}" for name, each in REBUILT.items()]
        self.stdout.write(f"Rebuilt {', '.join(rebuilt)}.")
