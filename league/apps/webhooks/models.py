"""Webhooks of a club, and everything that was sent to them."""

from typing import ClassVar, TypeAlias
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league import choices
from league.models import Club, Outgoing
from league.ops import posting
from league.ops.secret import new_salt


def reachable(url: str) -> None:
    """Raise ValidationError for an address to which deliveries are not allowed."""
    try:
        posting.check(url, private=settings.WEBHOOKS_PRIVATE)
    except posting.Unreachable as error:
        raise ValidationError(str(error), code="unreachable") from None


class Webhook(models.Model):
    """An address that gets deliveries about a club's competitions and games.

    Its secret is derived from the site's own and from ``salt``, and is not stored.
    """

    Kind: TypeAlias = choices.Announced

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="webhooks", verbose_name=_("club"))
    url = models.CharField(_("address"), max_length=500, validators=[reachable])
    kinds = ArrayField(models.CharField(max_length=30, choices=Kind), verbose_name=_("what it is told"))
    active = models.BooleanField(_("active"), default=True)
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    former_salt = models.CharField(max_length=32, blank=True, editable=False)
    former_until = models.DateTimeField(null=True, editable=False)
    """Until when deliveries are signed with the former secret, too."""
    failing_since = models.DateTimeField(_("failing since"), null=True, editable=False)
    stopped_at = models.DateTimeField(_("stopped"), null=True, editable=False)
    """When the server stopped it; an organiser may make it active again."""
    next_at = models.DateTimeField(default=database_time.now, editable=False)
    """While a worker sends to it, when another one may."""
    created_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)

    class Meta:
        db_table = "league_webhook"
        ordering: ClassVar = ["created_at", "id"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return self.host

    @property
    def host(self) -> str:
        """Return whose address it is; the rest of it may be a secret of theirs."""
        return urlsplit(self.url).hostname or ""


class Delivery(Outgoing):
    """Something to send to a webhook, and the outcome. Numbers grow in order, with gaps."""

    class Kind(models.TextChoices):
        """What is sent beside what is announced."""

        PING = "ping", _("test")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("failed")

    number = models.BigAutoField(_("number"), primary_key=True)
    id = models.UUIDField(unique=True, default=uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    kind = models.CharField(_("what"), max_length=30, choices=[*Webhook.Kind.choices, *Kind.choices])
    payload = models.JSONField(_("content"))
    at = models.DateTimeField(_("happened"), default=database_time.now)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    tried_at = models.DateTimeField(_("last attempt"), null=True)
    code = models.PositiveSmallIntegerField(_("response code"), null=True)
    answer = models.CharField(_("response"), max_length=posting.EXCERPT, blank=True)
    """The beginning of the answer, or why there was none."""

    class Meta:
        db_table = "league_delivery"
        ordering: ClassVar = ["-number"]
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes: ClassVar = [
            models.Index(
                fields=["webhook", "next_at"], condition=models.Q(status="waiting"), name="deliveries_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"
