"""Games and their seats, which can be rebuilt from the logs; and what of the logs is in archives."""

import json
from functools import lru_cache
from typing import ClassVar, Final, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import choices
from games.engine import clocks

VERSION: Final = "md5(games_game::text)"
"""The version of a game's row, in a statement on its table: a text that changes with each field."""


class _Kept(models.Manager["Game"]):
    def get_queryset(self) -> models.QuerySet["Game"]:
        return super().get_queryset().filter(practice=False)


class Game(models.Model):
    """A game: the settings of its opening, and its current state for queries; rebuilt from its log."""

    Status: TypeAlias = choices.GameStatus

    id = models.UUIDField(primary_key=True, editable=False)
    ruleset = models.CharField(_("ruleset"), max_length=60)
    options = models.JSONField(_("options"))
    commitment = models.CharField(_("commitment"), max_length=64)
    clock = models.JSONField(_("clock"), default=dict)
    opened_at = models.DateTimeField(_("opened"))

    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.ACTIVE)
    seq = models.PositiveIntegerField(_("log entries"), default=0)
    head = models.CharField(_("head"), max_length=64)
    awaited = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("waits for"), default=list)
    since = ArrayField(models.DateTimeField(null=True), verbose_name=_("waits since"), default=list)
    used = ArrayField(models.DurationField(), verbose_name=_("time used"), default=list)
    deadline = models.DateTimeField(_("deadline"), null=True)
    unconfirmed = ArrayField(
        models.PositiveSmallIntegerField(), verbose_name=_("rounds to confirm"), default=list
    )
    disputed = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("disputed rounds"), default=list)
    unanswered = ArrayField(
        models.PositiveSmallIntegerField(), verbose_name=_("invited and not answered"), default=list
    )
    """Invited seats that have not accepted; where there are some, the game has never begun."""
    moved_at = models.DateTimeField(_("last entry"))
    practice = models.BooleanField(default=False, editable=False)
    """Whether its log lies apart, in tables from which it is removed after a while (`games.models.moves`)."""
    result = models.JSONField(_("result"), null=True)

    version = ""
    """The `VERSION` of the row as it was read or written here, empty where that was not asked."""

    objects = models.Manager["Game"]()
    kept = _Kept()
    """The games whose logs are kept for good: all but practice games."""

    class Meta:
        ordering: ClassVar = ["-opened_at", "id"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes: ClassVar = [
            models.Index(fields=["status", "moved_at"]),
            models.Index(fields=["opened_at", "id"], name="games_opened"),
            models.Index(fields=["moved_at", "id"], name="games_moved"),
            models.Index(fields=["deadline"], condition=models.Q(deadline__isnull=False), name="games_due"),
            models.Index(fields=["opened_at"], condition=models.Q(practice=True), name="games_practice"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {str(self.id)[:8]}"

    @property
    def is_over(self) -> bool:
        """Return whether the game is finished or abandoned."""
        return self.status in (self.Status.FINISHED, self.Status.ABANDONED)

    @property
    def timing(self) -> clocks.Clock:
        """Return the settings of the clock; raises `Malformed` for a stored row that is wrong."""
        return _timing(json.dumps(self.clock))

    @property
    def times(self) -> clocks.Times:
        """Return the times of the clock."""
        return clocks.Times(tuple(self.since), tuple(self.used))


@lru_cache(maxsize=200)
def _timing(settings: str) -> clocks.Clock:
    return clocks.read(json.loads(settings))


class Seat(models.Model):
    """A seat of a game. ``player`` is the id of a player in the league app, not a foreign key.

    ``account`` is the id of the account that plays it, as the log says: whoever is linked to the player
    later has no part in this game.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.UUIDField(_("player"), null=True, db_index=True)
    account = models.UUIDField(_("account"), null=True, db_index=True)
    team = models.PositiveSmallIntegerField(_("team"))

    class Meta:
        ordering: ClassVar = ["game", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="unique_game_seat_number"),
            models.UniqueConstraint(fields=["game", "player"], name="unique_game_seat_player"),
        ]

    def __str__(self) -> str:
        return f"{self.game} seat {self.number}"


class Archive(models.Model):
    """A partition of the move log that is no longer here but in a file with this SHA-256."""

    partition = models.CharField(max_length=63, primary_key=True)
    digest = models.CharField(max_length=64)
    games = models.PositiveIntegerField()
    entries = models.PositiveBigIntegerField()
    archived_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["partition"]

    def __str__(self) -> str:
        return self.partition
