"""Time at a table: what a seat may take for a move and for a game, with hours at night that do not count.

Pure arithmetic over times that are passed in; all times are aware, in UTC.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from games.engine import shapes
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length, Matching

DAY = 24 * 60 * 60
HOURS = r"(?:[01]\d|2[0-3]):[0-5]\d"
NOTHING = timedelta(0)
MOST_QUIET = 16 * 60
"""Minutes of a day; more, and a limit of weeks would end in another century."""


@dataclass(frozen=True)
class Clock:
    """A game's clock; all zero: nobody is ever late."""

    move: Annotated[int, Between(0, 60 * DAY), Help("seconds for each move; 0: no limit")] = 0
    game: Annotated[int, Between(0, 365 * DAY), Help("seconds for all moves of a seat; 0: no limit")] = 0
    late: Annotated[
        Literal["default", "forfeit"],
        Help("what happens to a seat that is late: its default moves are played, or it forfeits"),
    ] = "default"
    quiet: Annotated[
        str,
        Matching(f"(?:{HOURS}-{HOURS})?", "hours such as 22:00-08:00"),
        Help("hours of each day in which no time passes, such as 22:00-08:00"),
    ] = ""
    zone: Annotated[str, Length(0, 64), Help("the time zone of the quiet hours; empty: the club's")] = ""
    reminder: Annotated[
        int, Between(0, 60 * DAY), Help("seconds before it is late that a seat is reminded")
    ] = 0

    @property
    def runs(self) -> bool:
        """Return whether there is any limit."""
        return bool(self.move or self.game)


NO_CLOCK: Final = Clock()


def read(data: object) -> Clock:
    """Return the clock that settings describe; raise `Malformed`."""
    clock = shapes.read(Clock, data)
    try:
        _zone(clock)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Malformed({"zone": ["There is no such time zone."]}) from None
    if clock.quiet and not 0 < _quiet_minutes(clock) <= MOST_QUIET:
        raise Malformed({"quiet": ["At most 16 hours of a day can be quiet."]})
    return clock


def _zone(clock: Clock) -> ZoneInfo:
    return ZoneInfo(clock.zone or "UTC")


def _quiet_minutes(clock: Clock) -> int:
    falls, rises = (hour.hour * 60 + hour.minute for hour in _hours(clock))
    return (rises - falls) % (24 * 60)


@dataclass(frozen=True)
class Times:
    """Where the clocks of a table stand: since when each seat is awaited, and what it has used before."""

    since: tuple[datetime | None, ...]
    used: tuple[timedelta, ...]


def started(seats: int, awaited: Sequence[int], at: datetime) -> Times:
    """Return the times of a game that was just opened."""
    since = tuple(at if seat in awaited else None for seat in range(seats))
    return Times(since, (NOTHING,) * seats)


def ticked(clock: Clock, times: Times, mover: int | None, awaited: Sequence[int], at: datetime) -> Times:
    """Return the times after an entry.

    The mover's clock, and that of a seat that is awaited no more, is stopped and charged. A seat that others
    moved around keeps its own.
    """
    since, used = list(times.since), list(times.used)
    for seat, began in enumerate(times.since):
        goes_on = seat in awaited and seat != mover
        if began is not None and not goes_on:
            used[seat] += thought(clock, began, at)
        if not goes_on or began is None:
            since[seat] = at if seat in awaited else None
    return Times(tuple(since), tuple(used))


def deadlines(clock: Clock, times: Times) -> tuple[datetime | None, ...]:
    """Return when each seat will be late; None for one that nobody waits for, or without a limit."""
    return tuple(
        _deadline(clock, began, used) if began is not None and clock.runs else None
        for began, used in zip(times.since, times.used, strict=True)
    )


def _deadline(clock: Clock, began: datetime, used: timedelta) -> datetime:
    allowed = []
    if clock.move:
        allowed.append(timedelta(seconds=clock.move))
    if clock.game:
        allowed.append(max(NOTHING, timedelta(seconds=clock.game) - used))
    return after(clock, began, min(allowed))


def thought(clock: Clock, began: datetime, at: datetime) -> timedelta:
    """Return the time that passed between two moments, quiet hours not counted."""
    nights = takewhile(lambda night: night[0] < at, _nights(clock, began))
    asleep = (min(rises, at) - max(falls, began) for falls, rises in nights)
    return max(NOTHING, at - began) - sum(asleep, NOTHING)


def after(clock: Clock, began: datetime, allowed: timedelta) -> datetime:
    """Return the moment by which so much time has passed, quiet hours not counted."""
    now, left = began, allowed
    for falls, rises in _nights(clock, began):
        if now + left <= falls:
            break
        left -= max(NOTHING, falls - now)
        now = rises
    return now + left


def waking(clock: Clock, at: datetime, by: datetime) -> datetime:
    """Return when somebody may be told what is due at a moment: then, or when the quiet hours around it end.

    Where that would not be before ``by``, it is when they begin.
    """
    falls, rises = next(_nights(clock, at), (at, at))
    if not falls <= at < rises:
        return at
    return rises if rises < by else falls


def _nights(clock: Clock, began: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield the quiet hours that end after a moment, in UTC, without end."""
    if not clock.quiet:
        return
    zone = _zone(clock)
    falls, rises = _hours(clock)
    day = began.astimezone(zone).date() - timedelta(days=1)
    while True:
        end = _moment(day + timedelta(days=int(rises < falls)), rises, zone)
        if end > began:
            yield _moment(day, falls, zone), end
        day += timedelta(days=1)


def _hours(clock: Clock) -> tuple[time, time]:
    falls, rises = clock.quiet.split("-")
    return time.fromisoformat(falls), time.fromisoformat(rises)


def _moment(day: date, hour: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, hour, zone).astimezone(UTC)
