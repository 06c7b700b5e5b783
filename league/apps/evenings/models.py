"""Evenings that come again: which competition was set up like which."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Competition


class Evening(models.Model):
    """A competition that was set up like an earlier one, for a day."""

    competition = models.OneToOneField(
        Competition, models.CASCADE, primary_key=True, related_name="evening", verbose_name=_("competition")
    )
    like = models.ForeignKey(Competition, models.CASCADE, related_name="later", verbose_name=_("like"))
    day = models.DateField(_("day"))

    class Meta:
        ordering: ClassVar = ["day", "competition"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["like", "day"], name="unique_evening_like_on_day"),
        ]

    def __str__(self) -> str:
        return str(self.competition)
