"""When people are away, from one day to another."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models import Player


class Away(models.Model):
    """That a player is away from one day to another, both included. Why is nobody's business."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    player = models.ForeignKey(
        Player, models.CASCADE, related_name="days_away", verbose_name=_("player"), editable=False
    )
    since = models.DateField(_("from"))
    until = models.DateField(_("until"))

    class Meta:
        db_table = "away_away"
        ordering: ClassVar = ["since", "until", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(since__lte=F("until")),
                name="away_has_days",
                violation_error_message=_("The last day is before the first one."),
            ),
            models.UniqueConstraint(fields=["player", "since", "until"], name="away_once"),
        ]

    def __str__(self) -> str:
        return f"{self.since} – {self.until}"
