"""Webhooks of a club and their deliveries, for its organisers."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Min, Q, QuerySet

from games import database_time
from league.apps.webhooks.models import Delivery, Webhook
from league.models import Account, Club
from league.queries import permissions


def webhooks_of(club: Club, account: Account) -> QuerySet[Webhook]:
    """Return the club's webhooks, the first made first; raises PermissionDenied for all but organisers."""
    permissions.require_organiser(club.pk, account)
    return Webhook.objects.filter(club=club).select_related("club").order_by("created_at", "pk")


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """Return what was sent or waits to be sent, the latest first."""
    return Delivery.objects.filter(webhook=webhook).select_related("webhook").order_by("-number")


def webhooks_to_send() -> Sequence[UUID]:
    """Return the webhooks with due deliveries that no worker is sending."""
    now = database_time.now()
    free = Q(busy_until=None) | Q(busy_until__lte=now)
    webhooks = Webhook.objects.filter(free, active=True, pk__in=_due().values("webhook"))
    return list(webhooks.order_by("pk").values_list("pk", flat=True))


def _due() -> QuerySet[Delivery]:
    return Delivery.objects.filter(status=Delivery.Status.WAITING, next_at__lte=database_time.now())


def waiting_since() -> datetime | None:
    """Return since when the oldest delivery is due."""
    at: datetime | None = _due().aggregate(at=Min("next_at"))["at"]
    return at
