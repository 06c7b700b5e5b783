"""Evenings that come again: which competition was set up like which, by hand or by a rhythm."""

from typing import ClassVar, Final
from uuid import uuid4

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models import Account, Club, Competition
from league.models.names import LineField, nameable, printable

MOST_KEPT: Final = 50
WEEKLY: Final = 0
LAST: Final = -1


class Rhythm(models.Model):
    """The days on which a club plays, each set up by itself some days before, like the evening before it.

    Where ``like`` ``stays``, all are set up like that one. ``nth`` is which one of its weekday in each month,
    `LAST` the last, or `WEEKLY`: then every ``weeks`` weeks, counted from ``first``. ``due`` is when the
    evening on ``next_on`` is set up, None where the rhythm is stopped, or waits for an organiser because of
    ``trouble``. Evenings are set up in the name of ``by``.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="rhythms", verbose_name=_("club"))
    like = models.ForeignKey(Competition, models.CASCADE, related_name="+", verbose_name=_("like"))
    stays = models.BooleanField(_("always like this one"), default=False)
    by = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="+", verbose_name=_("made by"))
    weekday = models.PositiveSmallIntegerField(_("day of the week"), validators=[MaxValueValidator(6)])
    nth = models.SmallIntegerField(_("which one of the month"), default=WEEKLY)
    weeks = models.PositiveSmallIntegerField(_("weeks"), default=1, validators=[MinValueValidator(1)])
    first = models.DateField(_("from"))
    at = models.TimeField(_("time of day"), null=True)
    days_before = models.PositiveSmallIntegerField(_("days before"), default=6)
    next_on = models.DateField(_("next day"), null=True)
    due = models.DateTimeField(_("set up at"), null=True)
    trouble = models.CharField(_("trouble"), max_length=500, default="")
    stopped = models.BooleanField(_("stopped"), default=False)
    made_at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["made_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=models.Q(due__isnull=False), name="rhythms_due"),
        ]

    def __str__(self) -> str:
        return str(self.like)


class Skipped(models.Model):
    """A day on which a rhythm sets up no evening; a reason is for everybody to read."""

    rhythm = models.ForeignKey(Rhythm, models.CASCADE, related_name="skipped")
    day = models.DateField(_("day"))
    why = LineField(_("reason"), max_length=200, blank=True, validators=[printable])
    made_at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["day", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["rhythm", "day"], name="unique_skipped_day"),
        ]

    def __str__(self) -> str:
        return str(self.day)


class Evening(models.Model):
    """A competition that was set up like an earlier one, for a day."""

    competition = models.OneToOneField(
        Competition, models.CASCADE, primary_key=True, related_name="evening", verbose_name=_("competition")
    )
    like = models.ForeignKey(Competition, models.CASCADE, related_name="later", verbose_name=_("like"))
    day = models.DateField(_("day"))
    rhythm = models.ForeignKey(Rhythm, models.SET_NULL, null=True, related_name="evenings")

    class Meta:
        ordering: ClassVar = ["day", "competition"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["like", "day"], name="unique_evening_like_on_day"),
            models.UniqueConstraint(fields=["rhythm", "day"], name="unique_evening_of_rhythm"),
        ]

    def __str__(self) -> str:
        return str(self.competition)


class KeptPreset(models.Model):
    """A preset of a club's own: the settings of a competition, as `Preset.settings` returns them."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="kept_presets", verbose_name=_("club"))
    name = LineField(_("name"), max_length=100, validators=[nameable])
    settings = models.JSONField(_("settings"), editable=False)
    made_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)

    class Meta:
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("preset")
        verbose_name_plural = _("presets")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "name"], name="unique_preset_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Cancellation(models.Model):
    """What those who had entered a competition that was cancelled are told, and nobody else."""

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="+")
    told = LineField(_("what only those who have entered are told"), max_length=500, validators=[printable])

    def __str__(self) -> str:
        return str(self.competition)
