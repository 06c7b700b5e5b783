"""The logs of games and their secret seeds, for `games.log` only.

Those of practice games have tables of their own, without the triggers that keep a log for good.
"""

from typing import Any, ClassVar, TypeAlias, cast

from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games import choices
from games.engine.chain import stamp
from games.models.games import Game
from games.models.log_tables import HashField, append_only


class _Seed(models.Model):
    """The secret seed of a game; not a field of `Game`, so that no query for games can leak it."""

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="+")
    secret = models.BinaryField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"seed of {self.game_id}"


class Seed(_Seed):
    """The secret seed of a game."""

    class Meta:
        triggers: ClassVar = append_only("seed")


class PracticeSeed(_Seed):
    """The secret seed of a practice game."""


class _Move(models.Model):
    """An entry of a game's log. The unique key (game, seq) decides races between writers."""

    Role: TypeAlias = choices.MoveRole

    game = models.ForeignKey(
        Game, models.PROTECT, related_name="entries", verbose_name=_("game"), db_index=False
    )
    seq = models.PositiveIntegerField(_("log entry"))
    role = models.CharField(_("role"), max_length=10, choices=Role)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    account = models.CharField(_("account"), max_length=64, null=True)  # noqa: DJ001 - null is hashed
    move = models.JSONField(_("move"))
    at = models.DateTimeField(_("at"))
    hash = HashField(_("hash"))

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.game_id} {self.seq}"

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of the entry without its hash, as the chain hashes it."""
        return {
            "seq": self.seq,
            "role": self.role,
            "seat": self.seat,
            "account": self.account,
            "move": self.move,
            "at": stamp(self.at),
        }


class Move(_Move):
    """An entry of a game's log. The table is partitioned by the game's id: see `games.partitions`."""

    class Meta:
        # By "game" it would be the order of games.
        ordering: ClassVar = ["game_id", "seq"]
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        indexes: ClassVar = [
            # No primary key in the database, where a unique key must hold that of the partitions.
            models.Index(fields=["id"], name="games_move_id"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="unique_move_seq"),
        ]
        triggers: ClassVar = append_only("move")


class PracticeMove(_Move):
    """An entry of a practice game's log."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["game_id", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="unique_practice_move_seq"),
        ]


def moves_in(game: Game) -> type[Move]:
    """Return the table with the log of a game; both have the same fields."""
    return cast("type[Move]", PracticeMove) if game.practice else Move


def entries_of(game: Game) -> QuerySet[Move]:
    """Return the entries of a game's log."""
    return moves_in(game)._default_manager.filter(game=game)


def seeds_in(game: Game) -> type[Seed]:
    """Return the table with the secret seed of a game; both have the same fields."""
    return cast("type[Seed]", PracticeSeed) if game.practice else Seed


def seed_of(game: Game) -> bytes:
    """Return the secret seed of a game."""
    return bytes(seeds_in(game)._default_manager.get(game=game).secret)
