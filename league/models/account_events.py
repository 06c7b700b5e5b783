"""What concerns an account, one row an event: its stream in the API is made of them."""

from typing import ClassVar, TypeAlias

from django.db import models

from games import database_time
from league import choices
from league.models.accounts import Account


class AccountFeed(models.Model):
    """The numbers of an account's events: the last that was given, and the last that is kept no more.

    The row is there once somebody has read the account's events, and is the lock under which they are
    numbered.
    """

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="+")
    last = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["account"]

    def __str__(self) -> str:
        return f"{self.account_id} {self.last}"


class AccountEvent(models.Model):
    """Something that concerns an account; ``about`` names it by ids that everybody may know.

    It has no number until it is read: transactions end in another order than they begin in, and a reader must
    never find a number below one that it has seen. No account has two events with one ``key``.
    """

    Kind: TypeAlias = choices.AccountEventKind

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField(null=True)
    key = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null is no key
    kind = models.CharField(max_length=24, choices=Kind)
    about = models.JSONField(default=dict)
    at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["account", "seq", "id"]
        indexes: ClassVar = [
            models.Index(fields=["account"], condition=models.Q(seq=None), name="account_events_unread"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "seq"], name="unique_account_event_seq"),
            models.UniqueConstraint(fields=["account", "key"], name="unique_account_event_key"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"
