"""Seeks: somebody looks for players for a casual game, and it begins when the seats are taken."""

from typing import ClassVar, TypeAlias
from uuid import uuid4

from django.db import models

from games import database_time
from games.models import Game
from league import choices
from league.models.accounts import Account
from league.models.clubs import Club, Player


class Seek(models.Model):
    """A casual game of a club that begins once so many ``seats`` are taken; until then nothing is binding."""

    Status: TypeAlias = choices.SeekStatus

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="seeks")
    made_by = models.ForeignKey(Account, models.CASCADE, related_name="+")
    ruleset = models.CharField(max_length=60)
    options = models.JSONField(default=dict)
    clock = models.JSONField(default=dict)
    seats = models.PositiveSmallIntegerField()
    private = models.BooleanField(default=False)
    """Whether only those who have a link can join, and see it."""
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    made_at = models.DateTimeField(default=database_time.now)
    until = models.DateTimeField()
    game = models.OneToOneField(Game, models.PROTECT, null=True, related_name="+")

    class Meta:
        db_table = "league_seek"
        ordering: ClassVar = ["made_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["club"], condition=models.Q(status="open"), name="seeks_open"),
            models.Index(fields=["until"], condition=models.Q(status="open"), name="seeks_due"),
            models.Index(fields=["made_by", "made_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {str(self.id)[:8]}"


class SeekSeat(models.Model):
    """A seat of a seek that is taken, by an account with its player; in the order of joining."""

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="taken")
    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    joined_at = models.DateTimeField(default=database_time.now)

    class Meta:
        db_table = "league_seekseat"
        ordering: ClassVar = ["joined_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seek", "account"], name="unique_seek_account"),
            models.UniqueConstraint(fields=["seek", "player"], name="unique_seek_player"),
        ]

    def __str__(self) -> str:
        return str(self.player)


class SeekInvitation(models.Model):
    """A link to a seek for one person, who accepts or declines. Its token is not stored."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    seek = models.ForeignKey(Seek, models.CASCADE, related_name="invitations")
    made_at = models.DateTimeField(default=database_time.now)
    accepted = models.BooleanField(null=True)
    """None before there is an answer."""
    answered_by = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="+")
    """Who accepted; whoever declines needs no account."""

    class Meta:
        db_table = "league_seekinvitation"
        ordering: ClassVar = ["made_at", "id"]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_open(self) -> bool:
        """Return whether it can be answered; who declined may still accept."""
        going = self.seek.status == Seek.Status.OPEN and self.seek.until > database_time.now()
        return going and not self.accepted
