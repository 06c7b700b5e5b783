"""The app's tasks for workers."""

from uuid import UUID

from celery import shared_task

from league.apps.evenings import services
from league.services.queue import Found


@shared_task(base=Found)
def prepare_evening(rhythm_id: str) -> None:
    """Set up the next evening of a rhythm that is due."""
    services.prepare_evening(rhythm_id=UUID(rhythm_id))
