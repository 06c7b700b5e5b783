"""The tables of the yardsticks: matches with a counter, and their entries."""

from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models


class Match(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid4)
    name = models.CharField(max_length=60)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField(default=0)
    moved_at = models.DateTimeField(auto_now=True)
    objects: ClassVar[models.Manager["Match"]]
    last: "Entry"

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    match = models.ForeignKey(Match, models.CASCADE, related_name="entries")
    seq = models.PositiveIntegerField()
    move = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seq"], name="one_entry_a_seq")]

    def __str__(self) -> str:
        return f"{self.match} {self.seq}"
