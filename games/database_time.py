"""The time of a site: that of the database's clock, as this process estimates it from its host's.

Hosts disagree about the time, and a log must not go back in it. So entries are dated by the database's clock,
and the statement that writes them checks the date (`games.statements`).
"""

import time
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

FRESH_SECONDS: Final = 60
"""How old an estimate may be. Every entry that is written brings a new one."""
TOLERANCE: Final = timedelta(seconds=1)
"""How far the date of an entry may be from the database's time."""


class Estimate:
    """How far the database's clock is ahead of the host's, and since when that is known."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)
        self.taken = -float("inf")

    def corrected(self, database: datetime, before: datetime, after: datetime) -> None:
        """Correct the estimate by a time that the database gave between two of the host's.

        It is changed no further than the three times prove it wrong.
        """
        self.taken = max(self.taken, time.monotonic())
        early, late = database - (after + self.ahead), database - (before + self.ahead)
        if early > timedelta(0):
            self.ahead += early
        elif late < timedelta(0):
            self.ahead += late


_estimate: Final = Estimate()


def host() -> datetime:
    """Return the time of this host."""
    return timezone.now()


def sql() -> str:
    """Return the expression for the database's time in a statement."""
    return "clock_timestamp()"


def now() -> datetime:
    """Return the database's time, as a rule without asking for it."""
    if time.monotonic() - _estimate.taken > FRESH_SECONDS:
        return asked()
    return host() + _estimate.ahead


def asked() -> datetime:
    """Return the database's time, and correct the estimate."""
    before = host()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql()}")
        (database,) = cursor.fetchone()
    learn(database, before)
    return host() + _estimate.ahead


def learn(database: datetime, before: datetime) -> None:
    """Correct the estimate by a time that the database gave between ``before``, of the host, and now."""
    _estimate.corrected(database, before, host())


def ahead() -> timedelta:
    """Return how far the database's clock is ahead of the host's, as far as that is known."""
    return _estimate.ahead
