"""Tasks for the workers. Each only says where to look: the sweep finds the work of a task that was lost."""

from uuid import UUID

from celery import current_app
from django.db import transaction

from league.ops import messages


def after_commit(task: str, *subjects: UUID) -> None:
    """Queue a task of `league.tasks` by name, with the ids as arguments, once the transaction is committed.

    Nothing is raised, and nobody waits, when the broker cannot be reached: what was written is kept, and the
    sweep finds it.
    """
    signature = current_app.signature(f"league.tasks.{task}", tuple(map(str, subjects)), retry=False)

    def send() -> None:
        messages.send(signature)

    transaction.on_commit(send, robust=True)
