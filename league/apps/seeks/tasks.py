"""The app's tasks for workers."""

from uuid import UUID

from celery import shared_task

from league.apps.seeks import services
from league.services.queue import Found


@shared_task(base=Found)
def lapse_seek(seek_id: str) -> None:
    """Close a seek for which not enough players were found."""
    services.lapse_seek(seek_id=UUID(seek_id))
