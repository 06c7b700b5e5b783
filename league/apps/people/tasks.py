"""What workers do for a club's people."""

from celery import shared_task

from league.apps.people.duties import remind_of_duties
from league.apps.people.membership import let_go


@shared_task
def follow_days() -> None:
    """Let those go whose last day has come, and write emails to those who have a duty tomorrow."""
    let_go()
    remind_of_duties()
