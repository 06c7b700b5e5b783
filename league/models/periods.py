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
