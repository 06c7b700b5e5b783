"""Periodic tasks: when each was last begun, by whichever scheduler."""

from typing import ClassVar

from django.db import models


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
