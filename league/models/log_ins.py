"""Log-ins: those that failed lately, the places from which an account has logged in, and its sessions."""

from typing import ClassVar
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import models
from django.utils.timezone import now

from league.models.accounts import Account


class FailedLogIns(models.Model):
    """How often log-ins failed in a row with one name, from one address, or with one from the other.

    The key is a keyed hash: neither names nor addresses are stored.
    """

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(default=now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-last_at", "key"]

    def __str__(self) -> str:
        return self.key[:8]


class KnownPlace(models.Model):
    """An address or a device from which an account has logged in, as a keyed hash."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    last_at = models.DateTimeField(default=now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-last_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "digest"], name="unique_known_place"),
        ]

    def __str__(self) -> str:
        return self.digest[:8]


class LogIn(models.Model):
    """A session of an account on the web, and the browser in which it began; it goes with the session."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    session = models.OneToOneField(Session, models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, models.CASCADE, related_name="log_ins")
    browser = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField(default=now)

    class Meta:
        ordering: ClassVar = ["-at", "id"]

    def __str__(self) -> str:
        return f"{self.account} ({self.browser})"
