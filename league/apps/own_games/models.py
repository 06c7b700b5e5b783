"""Games that clubs have made for themselves."""

from typing import ClassVar, Final
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models import Club
from league.models.names import LineField, nameable

MOST_OFFERED: Final = 50


class OwnGame(models.Model):
    """A game that a club keeps: its definition, and the name of the ruleset that plays it.

    A game that was played has its definition in its own log, so that a ``retired`` one is offered no more and
    nothing else changes.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="own_games", verbose_name=_("club"))
    title = LineField(_("name"), max_length=60, validators=[nameable])
    ruleset = models.CharField(_("ruleset"), max_length=100, db_index=True, editable=False)
    definition = models.JSONField(_("definition"), editable=False)
    made_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)
    retired_at = models.DateTimeField(_("retired"), null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["title", "id"]
        verbose_name = _("game of the club")
        verbose_name_plural = _("games of the club")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "ruleset"], name="unique_own_game"),
            models.UniqueConstraint(
                fields=["club", "title"],
                condition=models.Q(retired_at=None),
                name="unique_own_game_title",
            ),
        ]

    def __str__(self) -> str:
        return self.title
