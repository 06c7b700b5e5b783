"""What `/readyz` tells monitors and load balancers: whether the service works."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import Error

from games import database_time
from league.hooks import upkeep
from league.ops import prepare
from league.ops.database.base import deadline
from league.ops.metrics import Waiting
from league.ops.servers import CannotServe
from league.queries import due

_SECONDS: Final = 5
"""How long a check may hang until the next one is made."""


def lag() -> int | None:
    """Return for how many seconds results have waited for standings, None where the database fails."""
    try:
        with deadline(_SECONDS):
            prepare.check_database()
            since = due.behind_since()
    except (CannotServe, Error):
        return None
    return _seconds(since)


def _seconds(since: datetime | None) -> int:
    return max(0, int((database_time.now() - since) / timedelta(seconds=1))) if since else 0


def broker() -> bool:
    """Return whether the broker answers."""
    try:
        prepare.check_broker()
    except CannotServe:
        return False
    return True


def notifications() -> bool:
    """Return whether web processes hear of what is new, past a pooler too."""
    try:
        with deadline(_SECONDS):
            prepare.check_notifications()
    except (CannotServe, Error):
        return False
    return True


def works() -> Sequence[upkeep.Work]:
    """Return the work that is measured."""
    return (*due.WORK, due.emails_to_send, *upkeep.WORK)


def waiting() -> Waiting | None:
    """Return how much waits for a worker, and for how long, by task; None where the database fails."""
    try:
        with deadline(_SECONDS):
            return Waiting(
                {work.name: float(len(work())) for work in works()},
                {work.name: float(_seconds(work.oldest())) for work in works()},
            )
    except Error:
        return None


def report(lag: int | None, broker: bool | None, notifications: bool | None) -> Mapping[str, Any]:
    """Return the answer of `/readyz`, from what the checks found; None: nothing in time."""
    well = lag is not None and lag <= settings.READY_LAG_SECONDS
    return {
        "ready": well and bool(broker) and bool(notifications),
        "database": lag is not None,
        "broker": bool(broker),
        "notifications": bool(notifications),
        "lag_seconds": lag,
    }
