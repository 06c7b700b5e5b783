"""Webhooks of a club and their deliveries, for its organisers."""

from django.db.models import QuerySet

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


def deliveries_due() -> QuerySet[Delivery]:
    """Return what is due to webhooks that are active and to which no worker is sending."""
    now = database_time.now()
    waiting = Delivery.objects.filter(status=Delivery.Status.WAITING, next_at__lte=now)
    return waiting.filter(webhook__active=True, webhook__next_at__lte=now)
