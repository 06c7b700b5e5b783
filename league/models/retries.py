"""Idempotency keys: what was made for a request that may be sent twice."""

from typing import ClassVar

from django.db import models

from games import database_time
from league.models.accounts import Account


class MadeOnce(models.Model):
    """A key that an account sent with a request, and what was made for it; kept for a day."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    asked = models.CharField(max_length=64)
    """SHA-256 of the request: the same key with another request is a mistake."""
    made = models.UUIDField(null=True)
    at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "key"], name="unique_idempotency_key"),
        ]

    def __str__(self) -> str:
        return self.key
