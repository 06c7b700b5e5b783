"""What is in archives."""

from typing import ClassVar

from django.db import models


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
