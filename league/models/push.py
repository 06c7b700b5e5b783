"""Where browsers take messages while none of the site's pages is open."""

from typing import ClassVar
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import models

from games import database_time
from league.models.accounts import Account


class PushSubscription(models.Model):
    """The address at which the browser of a session takes messages; it goes with the session."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    session = models.OneToOneField(Session, models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1000, unique=True)
    digest = models.CharField(max_length=64)
    """The account's hash for sessions when it was made: another password makes another one."""
    failures = models.PositiveSmallIntegerField(default=0)
    """How many messages in a row were not taken."""
    made_at = models.DateTimeField(default=database_time.now)
    told_at = models.DateTimeField(default=database_time.now)
    """When the last message was sent; of turns that began before it, none is told."""
    again_at = models.DateTimeField(default=database_time.now)
    """Before then nothing is sent, because the service was not there or asked for patience."""

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]

    def __str__(self) -> str:
        return str(self.pk)
