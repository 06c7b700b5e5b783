"""Which logs came from files: their entries were not written here."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from games.models import Game
from league.models.accounts import Account
from league.models.clubs import Club
from league.models.competitions import Competition


class Import(models.Model):
    """A competition with all its games, or a casual game, that was imported from a file."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    competition = models.OneToOneField(Competition, models.CASCADE, null=True, related_name="imported")
    game = models.OneToOneField(Game, models.CASCADE, null=True, related_name="imported")
    by = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="+")
    """Who imported it; None for the server's administrator."""
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(competition=None) ^ models.Q(game=None), name="imports_are_of_one_log"
            ),
        ]

    def __str__(self) -> str:
        return str(self.competition or self.game)
