"""The app's tasks for workers."""

from uuid import UUID

from celery import shared_task

from league.apps.between import services


@shared_task
def follow_people(club: str) -> None:
    """Bring a club's people up in other clubs to what they are called, and choose, at home now."""
    services.follow_people(UUID(club))


@shared_task
def forget_people() -> None:
    """Forget in other clubs whoever was forgotten at home."""
    services.forget_people()
