"""The app's tasks for workers."""

from uuid import UUID

from celery import shared_task

from league.apps.series import following, projections
from league.services.queue import Found


@shared_task(base=Found)
def make_evenings(competition_id: str) -> None:
    """Bring the evenings of a competition up to its log."""
    projections.follow_competition(UUID(competition_id))


@shared_task
def follow_known() -> None:
    """Let those count who are known as something since a new day or an evening: nothing else tells that."""
    for club in following.clubs_that_follow():
        following.follow_people(club)
