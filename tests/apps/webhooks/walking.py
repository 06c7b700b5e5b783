"""The rows of webhooks on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping

from django.db.models import Model

from league.apps.webhooks.models import Delivery, Webhook
from tests.factories import Cast


def rows_of(cast: Cast) -> Mapping[type[Model], Model]:
    """Return a row of each kind, of Olga's club."""
    webhook = Webhook.objects.create(club=cast.club, url="https://harbour.example/hook", kinds=["result"])
    return {
        Webhook: webhook,
        Delivery: Delivery.objects.create(webhook=webhook, kind="result", payload={}),
    }
