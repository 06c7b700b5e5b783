"""What workers do for a club's people."""

from celery import shared_task

from league.apps.people.duties import remind_of_duties


@shared_task
def remind() -> None:
    """Write emails to those who have a duty tomorrow."""
    remind_of_duties()
