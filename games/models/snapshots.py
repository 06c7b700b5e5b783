"""Positions of games that were kept so that long logs need not be replayed, for `games.positions` only."""

from typing import ClassVar

from django.db import models

from games.models.games import Game


class Snapshot(models.Model):
    """The position of a game after entry ``seq``, whose hash it names. It holds secrets, like the seed.

    It can be deleted at any time.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    position = models.BinaryField()
    signature = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seq"], name="unique_snapshot_seq"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.seq}"
