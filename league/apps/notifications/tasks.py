"""What workers do for notifications."""

from uuid import UUID

from celery import shared_task

from league.apps.notifications import push, services
from league.services.queue import Found


@shared_task(base=Found)
def send_push(subscription_id: str) -> None:
    """Tell a browser that it is its account's turn."""
    push.send_push(subscription_id=UUID(subscription_id))


@shared_task
def remind() -> None:
    """Write emails to players who keep others waiting, whose time is running out, or who are invited."""
    services.write_turns()
    services.write_game_invitations()
    services.write_reminders()
