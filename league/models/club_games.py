"""The games of clubs, of competitions and casual ones."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Game
from league.models.accounts import Account
from league.models.clubs import Club
from league.models.competitions import Competition, Table


class ClubGame(models.Model):
    """A club's game, with its table if it belongs to a round of a competition that was not withdrawn.

    A casual game's row is a record; a competition game's follows the competition's log, and ``recorded`` says
    whether that log holds how the game ended.
    """

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="club_game")
    club = models.ForeignKey(Club, models.PROTECT, related_name="games", db_index=False)
    competition = models.ForeignKey(
        Competition, models.CASCADE, null=True, related_name="games", verbose_name=_("competition")
    )
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="games")
    recorded = models.BooleanField(_("recorded"), default=False)
    number = models.PositiveSmallIntegerField(_("game of a match"), default=1)
    made_by = models.ForeignKey(
        Account, models.SET_NULL, null=True, related_name="+", verbose_name=_("opened by")
    )
    """Who opened a casual game."""
    rematch_of = models.ForeignKey(
        Game, models.PROTECT, null=True, related_name="rematches", verbose_name=_("rematch of")
    )

    class Meta:
        ordering: ClassVar = ["game"]
        indexes: ClassVar = [
            models.Index(
                fields=["game"],
                name="games_not_recorded",
                condition=models.Q(competition__isnull=False, recorded=False),
            ),
            models.Index(fields=["club", "game"], name="games_of_club"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(competition__isnull=False) | models.Q(table=None),
                name="tables_are_of_competitions",
            ),
        ]

    def __str__(self) -> str:
        return str(self.game)

    @property
    def turn(self) -> int:
        """Return 1 where neighbours at the table have changed seats for this game, else 0.

        Seat ``n`` of the table is seat ``n ^ 1`` of the game then.
        """
        return (self.number - 1) % 2

    @property
    def ruled(self) -> bool:
        """Return whether a ruling decides the game's table: then the game counts as played."""
        return self.table is not None and self.table.ruled
