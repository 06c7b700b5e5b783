"""`manage.py rebuild`: delete all derived data and compute them again from the logs."""

from typing import Any

from django.core.management.base import BaseCommand

from games import log as games
from games.models import Game
from league.models import Club, Competition
from league.projections import competitions as projections
from league.projections import ratings as rating_lists


class Command(BaseCommand):
    """Rebuilds heads of games, rows and standings of competitions, and ratings from the logs."""

    help = "Delete all derived data and compute them again from the logs. The service can keep running."

    def handle(self, **_: Any) -> None:
        for game in Game.objects.order_by("pk").values_list("pk", flat=True).iterator():
            games.rebuild(game)
        for competition in Competition.objects.order_by("pk").values_list("pk", flat=True).iterator():
            projections.rebuild(competition)
        for club in Club.objects.order_by("pk").values_list("pk", flat=True).iterator():
            rating_lists.rebuild(club)
        self.stdout.write(
            f"Rebuilt {Game.objects.count()} games and {Competition.objects.count()} competitions."
        )
