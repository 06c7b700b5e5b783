"""Notices by e-mail: what each account wants to be told, and what goes out."""

from typing import ClassVar, Final
from uuid import uuid4

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from league.models.accounts import Account
from league.models.clubs import Club


class NoticeChoices(models.Model):
    """What an account wants to be told by e-mail; one without a row wants what is the default."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="notice_choices")
    round_published = models.BooleanField(_("a round of mine is published"), default=True)
    your_turn = models.BooleanField(_("a table has waited for me for ten minutes"), default=True)
    reminder = models.BooleanField(_("my time at a table runs out"), default=True)
    result = models.BooleanField(_("a table of mine is decided"), default=False)

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")

    def __str__(self) -> str:
        return str(self.account)


CHOSEN: Final = ("round_published", "your_turn", "reminder", "result")
"""The kinds that an account may choose; the others answer what somebody has just asked for."""


class Notice(models.Model):
    """A mail that goes out, once for each ``key``: what it tells whom. The words are made when it is sent."""

    class Kind(models.TextChoices):
        ROUND_PUBLISHED = "round_published", _("round published")
        YOUR_TURN = "your_turn", _("your turn")
        REMINDER = "reminder", _("reminder")
        RESULT = "result", _("result")
        ADDRESS = "address", _("confirmation of an address")
        PASSWORD = "password", _("new password")
        INVITATION = "invitation", _("invitation")
        WEBHOOK_STOPPED = "webhook_stopped", _("webhook stopped")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        DROPPED = "dropped", _("no longer of use")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(_("what"), max_length=20, choices=Kind)
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="notices")
    """Whom it tells; nobody where it goes to somebody who has no account yet."""
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="notices")
    about = models.JSONField()
    """The ids that the words are made of."""
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    due_at = models.DateTimeField(_("due"), default=now)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    busy_until = models.DateTimeField(null=True)
    """Until when one worker alone sends it."""
    made_at = models.DateTimeField(_("made"), default=now)
    sent_at = models.DateTimeField(_("sent"), null=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=models.Q(status="waiting"), name="notices_due"),
        ]

    def __str__(self) -> str:
        return self.key
