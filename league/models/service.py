"""Rows of the service itself: what it has begun, found, fetched and counted."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time


class PeriodicRun(models.Model):
    """The last run of a periodic task, by the database's clock. Of several schedulers one is followed."""

    name = models.CharField(max_length=40, primary_key=True)
    began_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class RestoreDrill(models.Model):
    """A backup that was restored beside and verified, and what was wrong, in the words of the commands."""

    at = models.DateTimeField()
    file = models.CharField(max_length=255)
    well = models.BooleanField()
    said = models.TextField(blank=True)
    seconds = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.file} at {self.at}"


class VerifiedLog(models.Model):
    """The head at which a game's or competition's log was last found good, and by which release."""

    stream = models.UUIDField(primary_key=True)
    head = models.CharField(max_length=64)
    release = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["stream"]

    def __str__(self) -> str:
        return f"{self.stream} at {self.head}"


class BeaconValue(models.Model):
    """The signature of a round of the beacon, whose hash is the round's value (`league.core.beacon`)."""

    round = models.BigIntegerField(_("round"), primary_key=True)
    signature = models.CharField(_("signature"), max_length=96)

    class Meta:
        ordering: ClassVar = ["round"]
        verbose_name = _("value of the beacon")
        verbose_name_plural = _("values of the beacon")

    def __str__(self) -> str:
        return str(self.round)


class WatchedGames(models.Model):
    """How many watch each game through one process, as it last reported."""

    process = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    games = models.JSONField(default=dict)
    """``{game id: how many}``."""
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-at", "process"]

    def __str__(self) -> str:
        return str(self.process)
