"""What workers do for evenings."""

from uuid import UUID

from celery import shared_task

from league.apps.my_evening import push
from league.services.queue import Found


@shared_task(base=Found)
def send_news(subscription_id: str) -> None:
    """Tell a browser what happened at its person's evening."""
    push.send(subscription_id=UUID(subscription_id))
