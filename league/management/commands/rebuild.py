"""`manage.py rebuild`: everything that follows from the logs, thrown away and written anew."""

from typing import Any

from django.core.management.base import BaseCommand

from games import log as games
from games.models import Game
from league import projections
from league.models import Competition


class Command(BaseCommand):
    """Rebuilds the head fields of games, and the rows and standings of competitions, from the logs alone."""

    help = "Throw away every row that follows from the logs and write it anew. The service may run meanwhile."

    def handle(self, **_: Any) -> None:
        """Rebuild and say how much."""
        for game in Game.objects.order_by("pk").values_list("pk", flat=True).iterator():
            games.rebuild(game)
        for competition in Competition.objects.order_by("pk").values_list("pk", flat=True).iterator():
            projections.rebuild(competition)
        self.stdout.write(
            f"Rebuilt {Game.objects.count()} games and {Competition.objects.count()} competitions."
        )
