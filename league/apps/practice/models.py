"""Practice games: a guest without an account, or an account, plays house bots."""

from typing import ClassVar

from django.db import models

from games.models import Game
from league import choices
from league.models.accounts import Account


class PracticeGame(models.Model):
    """A game against house bots. Its log lies apart, and all of it is removed after some days."""

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="practice_game")
    guest = models.UUIDField()
    """What the cookie of the browser said in which it was begun."""
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="+")
    """Whose game it is; where nobody was logged in, it is the guest's."""
    level = models.CharField(max_length=6, choices=choices.BotLevel)
    address = models.CharField(max_length=64)
    """A keyed hash of the network address, by which games are capped."""
    opened_at = models.DateTimeField()

    class Meta:
        db_table = "league_practicegame"
        ordering: ClassVar = ["-opened_at", "game"]
        indexes: ClassVar = [
            models.Index(fields=["guest", "opened_at"], name="practice_guest"),
            models.Index(fields=["address", "opened_at"], name="practice_address"),
        ]

    def __str__(self) -> str:
        return str(self.game_id)
