"""Webhooks of a club and their deliveries, for its organisers."""

from django.db.models import QuerySet

from league.models import Account, Club, Delivery, Webhook
from league.queries import permissions


def webhooks_of(club: Club, account: Account) -> QuerySet[Webhook]:
    """Return the club's webhooks, the first made first; raises PermissionDenied for all but organisers."""
    permissions.require_organiser(club.pk, account)
    return Webhook.objects.filter(club=club).select_related("club").order_by("created_at", "pk")


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """Return what was sent or waits to be sent, the latest first."""
    return Delivery.objects.filter(webhook=webhook).select_related("webhook").order_by("-number")
