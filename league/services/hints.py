"""Messages to the workers. Each is a hint to look at the logs: the sweep finds what a lost one told of."""

from uuid import UUID

from celery import current_app
from django.db import transaction


def after_commit(task: str, *subjects: UUID) -> None:
    """Queue a task of `league.tasks` by name, for what the ids name, once the transaction is committed.

    Nothing is raised when the broker cannot be reached: what was written stands all the same.
    """
    signature = current_app.signature(f"league.tasks.{task}", tuple(map(str, subjects)))

    # Django logs a robust hook that failed by its qualified name, which a partial does not have.
    def send() -> None:
        signature.apply_async(retry=False)

    transaction.on_commit(send, robust=True)
