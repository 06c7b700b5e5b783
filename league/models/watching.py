"""How many watch running games, by process: never who."""

from typing import ClassVar
from uuid import uuid4

from django.db import models

from games import database_time


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
