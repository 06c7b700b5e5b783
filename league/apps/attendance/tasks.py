"""The app's task for workers."""

from celery import shared_task

from league.apps.attendance import emails


@shared_task
def ask_who_comes() -> None:
    """Write the emails that ask whether members come."""
    emails.write_emails()
