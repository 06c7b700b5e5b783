"""What came of restore drills."""

from typing import ClassVar

from django.db import models


class RestoreDrill(models.Model):
    """A backup that was restored beside and verified, and what was wrong, in the words of the commands."""

    at = models.DateTimeField()
    file = models.CharField(max_length=255)
    well = models.BooleanField()
    said = models.TextField(blank=True)
    seconds = models.PositiveIntegerField()

    class Meta:
        db_table = "league_restoredrill"
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.file} at {self.at}"
