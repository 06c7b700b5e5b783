"""Tasks for the workers. Each only says where to look: the sweep finds the work of a task that was lost."""

from uuid import UUID

from celery import current_app
from django.db import transaction


def after_commit(task: str, *subjects: UUID) -> None:
    """Queue a task of `league.tasks` by name, with the ids as arguments, once the transaction is committed.

    Nothing is raised when the broker cannot be reached: what was written is kept, and the sweep finds it.
    """
    signature = current_app.signature(f"league.tasks.{task}", tuple(map(str, subjects)), retry=False)
    # A bound method, because Django logs a robust hook that failed by its qualified name.
    transaction.on_commit(signature.apply_async, robust=True)
