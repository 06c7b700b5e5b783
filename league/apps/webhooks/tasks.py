"""The app's tasks."""

from uuid import UUID

from celery import shared_task

from league.apps.webhooks import deliveries
from league.services.queue import Found


@shared_task(base=Found)
def send_webhook(webhook_id: str) -> None:
    """Send the deliveries that are due to a webhook."""
    deliveries.send_webhook(webhook_id=UUID(webhook_id))


@shared_task(base=Found)
def send_ping(delivery_id: str) -> None:
    """Send a test to a webhook."""
    deliveries.send_ping(delivery_id=UUID(delivery_id))
