"""Games and their move logs. A log row is written once: the database itself refuses anything else."""

from typing import Any, ClassVar
from uuid import uuid4

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.engine.chain import stamp

PROTECTED = "a log row is never changed or removed"


def append_only(name: str) -> list[pgtrigger.Trigger]:
    """Return the triggers by which PostgreSQL refuses UPDATE, DELETE and TRUNCATE on a log table."""
    refuse = f"RAISE EXCEPTION '{PROTECTED}';"
    return [
        pgtrigger.Trigger(
            name=f"{name}_{str(operation).lower()}_refused",
            operation=operation,
            when=pgtrigger.Before,
            level=pgtrigger.Statement,
            func=refuse,
        )
        for operation in (pgtrigger.Update, pgtrigger.Delete, pgtrigger.Truncate)
    ]


class Game(models.Model):
    """A game: what opened it, and head fields that follow its log and can be rebuilt from it."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("running")
        FINISHED = "finished", _("finished")
        ABANDONED = "abandoned", _("abandoned")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    ruleset = models.CharField(_("ruleset"), max_length=60)
    options = models.JSONField(_("options"))
    commitment = models.CharField(_("commitment"), max_length=64)
    clock = models.JSONField(_("clock"), default=dict)
    opened_at = models.DateTimeField(_("opened"))

    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.ACTIVE)
    seq = models.PositiveIntegerField(_("entries"), default=0)
    head = models.CharField(_("head"), max_length=64)
    awaited = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("waits for"), default=list)
    since = ArrayField(models.DateTimeField(null=True), verbose_name=_("waits since"), default=list)
    used = ArrayField(models.DurationField(), verbose_name=_("time used"), default=list)
    deadline = models.DateTimeField(_("deadline"), null=True)
    moved_at = models.DateTimeField(_("last entry"))
    result = models.JSONField(_("result"), null=True)

    class Meta:
        ordering: ClassVar = ["-opened_at", "id"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes: ClassVar = [
            models.Index(fields=["status", "moved_at"]),
            models.Index(fields=["deadline"], condition=models.Q(deadline__isnull=False), name="games_due"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {str(self.id)[:8]}"

    @property
    def is_over(self) -> bool:
        """Return whether its log is closed."""
        return self.status != self.Status.ACTIVE


class Seat(models.Model):
    """Who sits where. ``player`` is the id of a league's player: this app knows no league."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.UUIDField(_("player"), null=True, db_index=True)
    team = models.PositiveSmallIntegerField(_("team"))

    class Meta:
        ordering: ClassVar = ["game", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="a_seat_stands_once_at_a_table"),
            models.UniqueConstraint(fields=["game", "player"], name="a_player_sits_once_at_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.game} seat {self.number}"


class Seed(models.Model):
    """A game's secret seed, apart from the game so that nothing that shows a game can show it."""

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="+")
    secret = models.BinaryField()

    class Meta:
        triggers: ClassVar = append_only("seed")

    def __str__(self) -> str:
        return f"seed of {self.game_id}"


class Move(models.Model):
    """One entry of a game's log. The unique key (game, seq) is the judge of races."""

    class Role(models.TextChoices):
        SEAT = "seat", _("seat")
        ARBITER = "arbiter", _("arbiter")
        CLOCK = "clock", _("clock")
        SYSTEM = "system", _("system")

    game = models.ForeignKey(Game, models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField(_("entry"))
    role = models.CharField(_("role"), max_length=10, choices=Role)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    account = models.CharField(_("account"), max_length=64, null=True)  # noqa: DJ001 - null stands in the hash
    move = models.JSONField(_("move"))
    at = models.DateTimeField(_("at"))
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        ordering: ClassVar = ["game", "seq"]
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="a_log_holds_each_number_once"),
        ]
        triggers: ClassVar = append_only("move")

    def __str__(self) -> str:
        return f"{self.game_id} {self.seq}"

    def as_json(self) -> dict[str, Any]:
        """Return the entry as the chain hashes it, without its hash."""
        return {
            "seq": self.seq,
            "role": self.role,
            "seat": self.seat,
            "account": self.account,
            "move": self.move,
            "at": stamp(self.at),
        }
