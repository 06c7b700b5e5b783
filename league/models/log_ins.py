"""Log-ins: those that failed lately, the places from which an account has logged in,
its sessions and its passkeys."""

from typing import ClassVar
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.names import LineField, nameable


class FailedLogIns(models.Model):
    """How often log-ins failed in a row with one name, from one address, or with one from the other.

    The key is a keyed hash: neither names nor addresses are stored.
    """

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-last_at", "key"]

    def __str__(self) -> str:
        return self.key[:8]


class KnownPlace(models.Model):
    """An address or a device from which an account has logged in, as a keyed hash."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    last_at = models.DateTimeField(default=database_time.now, db_index=True)

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
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-at", "id"]

    def __str__(self) -> str:
        return f"{self.account} ({self.browser})"


class Passkey(models.Model):
    """A passkey of an account (WebAuthn): the public half of a key that is on a device of the person."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="passkeys")
    name = LineField(_("name"), max_length=80, validators=[nameable])
    credential = models.CharField(max_length=1400, unique=True)
    """The id by which the device knows it, as base64url."""
    public_key = models.BinaryField()
    uses = models.BigIntegerField(default=0)
    """The device's count of uses; 0 where it keeps none."""
    made_at = models.DateTimeField(default=database_time.now, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return self.name
