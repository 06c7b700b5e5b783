"""The time of a site: that of the database's clock, as this process estimates it from its host's.

Hosts disagree about the time, and a log must not go back in it. So entries are dated by the database's clock,
and the statement that writes them checks the date (`games.heads`). Whatever else begins, is due or ends
has this time too: the static checks refuse a host's clock everywhere but where a line says why.
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
LONGEST: Final = timedelta(minutes=10)
"""How long a decision may take, as about a long list of entries in a job. Its log waits for it."""


class Estimate:
    """How far the database's clock is ahead of the host's, and since when that is known."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)
        self.taken = -float("inf")
        self._zero = _zero()

    def is_good(self) -> bool:
        """Return whether it is fresh, and nobody has set the host's clock since."""
        return time.monotonic() - self.taken <= FRESH_SECONDS and abs(_zero() - self._zero) < TOLERANCE

    def corrected(self, database: datetime, before: datetime, after: datetime) -> None:
        """Correct the estimate by a time that the database gave between two of the host's.

        It is changed no further than the three times prove it wrong.
        """
        self.taken, self._zero = max(self.taken, time.monotonic()), _zero()
        early, late = database - (after + self.ahead), database - (before + self.ahead)
        if early > timedelta(0):
            self.ahead += early
        elif late < timedelta(0):
            self.ahead += late


def host() -> datetime:
    """Return the time of this host."""
    return timezone.now()  # noqa: TID251 - what the estimate begins with


def _zero() -> datetime:
    """Return when the clock that nobody can set began, by the host's clock."""
    return host() - timedelta(seconds=time.monotonic())


_estimate: Final = Estimate()


def sql() -> str:
    """Return the expression for the database's time in a statement."""
    return "clock_timestamp()"


def since_decided(clock: str) -> tuple[str, str]:
    """Return the earliest and the latest date of what is decided, in a statement with `Moment.taken`."""
    tolerance = TOLERANCE.total_seconds()
    earliest = f"{clock} - make_interval(secs => {tolerance} + %(taken)s::text::float)"
    return earliest, f"{clock} + make_interval(secs => {tolerance})"


def now() -> datetime:
    """Return the database's time, as a rule without asking for it."""
    return estimated() if _estimate.is_good() else asked()


def estimated() -> datetime:
    """Return the database's time as far as it is known here, for a guess that a statement then judges."""
    return host() + _estimate.ahead


def asked() -> datetime:
    """Return the database's time, and correct the estimate."""
    before = host()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql()}")
        (database,) = cursor.fetchone()
    learn(database, before)
    return estimated()


def learn(database: datetime, before: datetime) -> None:
    """Correct the estimate by a time that the database gave between ``before``, of the host, and now."""
    _estimate.corrected(database, before, host())


class Moment:
    """When a decision began: ``at`` dates what is decided, and may be that old when it is written."""

    def __init__(self) -> None:
        self.at, self._began = now(), time.monotonic()

    def taken(self) -> float:
        """Return for how many seconds it has been decided, `LONGEST` at most."""
        return min(time.monotonic() - self._began, LONGEST.total_seconds())


def ahead() -> timedelta:
    """Return how far the database's clock is ahead of the host's, as far as that is known."""
    return _estimate.ahead
