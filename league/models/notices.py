"""What is told to people: by email, of the kinds that each account wants, and to their browsers."""

from typing import ClassVar, Final, TypeAlias
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league import choices
from league.models.accounts import Account
from league.models.clubs import Club


class Outgoing(models.Model):
    """What the outbox sends (`league.services.outbox`), with its attempts."""

    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), null=True, default=database_time.now)
    """When it is sent next; while a worker sends it, when another one may; None when that is over."""

    class Meta:
        abstract = True


class NoticeChoices(models.Model):
    """Which emails an account wants; one without a row wants the defaults."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="notice_choices")
    round_published = models.BooleanField(
        _("a round that I play in is published or withdrawn, or a table is opened for me, as by a challenge"),
        default=True,
    )
    your_turn = models.BooleanField(_("it has been my turn for ten minutes"), default=True)
    reminder = models.BooleanField(_("my time at a table is running out"), default=True)
    result = models.BooleanField(_("my table is decided"), default=False)
    game_invitations = models.BooleanField(_("somebody invites me to a game"), default=True)

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")

    def __str__(self) -> str:
        return str(self.account)


CHOSEN: Final = ("round_published", "your_turn", "reminder", "result", "game_invitations")
"""The kinds that an account may choose; the others answer a request."""


class Notice(Outgoing):
    """An email to send, one for each ``key``. Its text is made when it is sent."""

    Kind: TypeAlias = choices.NoticeKind
    Status: TypeAlias = choices.NoticeStatus

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(_("what"), max_length=20, choices=Kind)
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="notices")
    """Who gets it; None for somebody without an account."""
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="notices")
    about = models.JSONField()
    """The ids that its text is made from."""
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    made_at = models.DateTimeField(_("made"), default=database_time.now)
    sent_at = models.DateTimeField(_("sent"), null=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=models.Q(status="waiting"), name="notices_due"),
        ]

    def __str__(self) -> str:
        return self.key


class PushSubscription(Outgoing):
    """The address at which the browser of a session takes messages; it goes with the session.

    Its attempts are those in a row that were not taken.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    session = models.OneToOneField(Session, models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1000, unique=True)
    digest = models.CharField(max_length=64)
    """The account's hash for sessions when it was made: another password makes another one."""
    made_at = models.DateTimeField(default=database_time.now)
    told_at = models.DateTimeField(default=database_time.now)
    """When the last message was sent; of turns that began before it, none is told."""

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]

    def __str__(self) -> str:
        return str(self.pk)
