"""The outbox: emails, messages to webhooks and to browsers are rows, sent by workers until they are taken.

A channel sends one message and says what the answer means: `emails`, `push` and apps are channels. A row is
lent to one worker at a time, and lent again if that one dies.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet

from games import database_time
from league.models import Outgoing
from league.services import queue

MOST_ATTEMPTS: Final = 12
LEASE: Final = timedelta(minutes=2)
"""Longer than any attempt: a worker that has had a row for so long has died."""
_AT_ONCE: Final = 20
_FIRST_WAIT: Final = timedelta(seconds=30)
_LONGEST_WAIT: Final = timedelta(hours=6)
_KEPT: Final = timedelta(days=90)
"""Longer than any deadline lies ahead: if an email's key is removed too early, it goes out twice."""


Row = TypeVar("Row", bound=Model)
"""A model with a date ``next_at``."""


def due(rows: QuerySet[Row], task: str, *subjects: Any, app: str = "league") -> Iterator[Row]:
    """Yield the rows that are due, one after the other, each lent to this worker for `LEASE`.

    After `_AT_ONCE` rows the task is queued again, with its subjects, so that others get their turn.
    """
    for _turn in range(_AT_ONCE):
        row = lent(rows)
        if row is None:
            return
        yield row
    queue.after_commit(task, *subjects, app=app)


@transaction.atomic
def lent(rows: QuerySet[Row]) -> Row | None:
    """Return the first of the rows that is due, lent to this worker for `LEASE`; None where none is."""
    now = database_time.now()
    free = rows.filter(next_at__lte=now).order_by("next_at", "pk")
    row = free.select_for_update(skip_locked=True, of=("self",)).first()
    if row is not None:
        row.next_at = now + LEASE  # type: ignore[attr-defined]
        row.save(update_fields=["next_at"])
    return row


def again(attempts: int, asked: int | None = None) -> datetime | None:
    """Return when to try again after so many attempts, None where these were enough.

    That is after 30 seconds, then after three times as long each time, up to 6 hours; ``asked``, in seconds,
    counts in their place.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    wait = _FIRST_WAIT * 3 ** (min(attempts, 10) - 1) if asked is None else timedelta(seconds=asked)
    return database_time.now() + min(max(wait, _FIRST_WAIT), _LONGEST_WAIT)


def settle(row: Outgoing, status: str | None, *, last: bool = False, **also: Any) -> None:
    """Note an attempt, the status that it leads to, and what else is to be stored.

    Without a status the row is tried again, unless this attempt is the ``last``: then it has failed.
    """
    row.attempts += 1
    row.next_at = None if status or last else again(row.attempts)
    status = status or ("waiting" if row.next_at else "failed")
    values = {"attempts": row.attempts, "next_at": row.next_at, "status": status, **also}
    for name, value in values.items():
        setattr(row, name, value)
    # Not `save`: the row may have been removed meanwhile.
    type(row)._default_manager.filter(pk=row.pk).update(**values)


def forget(rows: QuerySet[Row], made: str) -> None:
    """Remove the rows that are sent, or were given up, some time after they were made."""
    over = rows.exclude(status="waiting", next_at__isnull=False)
    over.filter(**{f"{made}__lt": database_time.now() - _KEPT}).delete()
