"""`manage.py rebuild`: everything that follows from the logs, thrown away and written anew."""

from typing import Any

from django.core.management.base import BaseCommand

from games import log as games
from games.models import Game
from league import projections, rating_lists
from league.models import Club, Competition


class Command(BaseCommand):
    """Rebuilds heads of games, rows and standings of competitions, and ratings, from the logs alone."""

    help = "Throw away every row that follows from the logs and write it anew. The service may run meanwhile."

    def handle(self, **_: Any) -> None:
        """Rebuild and say how much."""
        for game in Game.objects.order_by("pk").values_list("pk", flat=True).iterator():
            games.rebuild(game)
        for competition in Competition.objects.order_by("pk").values_list("pk", flat=True).iterator():
            projections.rebuild(competition)
        for club in Club.objects.order_by("pk").values_list("pk", flat=True).iterator():
            rating_lists.rebuild(club)
        self.stdout.write(
            f"Rebuilt {Game.objects.count()} games and {Competition.objects.count()} competitions."
        )
