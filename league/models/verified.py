"""Logs that were found good, so that only those need to be verified that have changed since."""

from typing import ClassVar

from django.db import models


class VerifiedLog(models.Model):
    """The head at which a game's or competition's log was last found good, and by which release."""

    stream = models.UUIDField(primary_key=True)
    head = models.CharField(max_length=64)
    release = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["stream"]

    def __str__(self) -> str:
        return f"{self.stream} at {self.head}"
