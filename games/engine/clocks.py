"""The clocks of a game: limits for each move and for the whole game, with quiet hours that do not count.

The caller passes in all times, which are aware and in UTC.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import takewhile
from typing import Annotated, Final, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from games.engine import shapes
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length, Matching
from games.engine.textinput import in_ascii

DAY = 24 * 60 * 60
HOURS = r"(?:[01]\d|2[0-3]):[0-5]\d"
NOTHING = timedelta(0)
MOST_QUIET = 16 * 60
"""Minutes of a day. With more, a limit of weeks could end centuries later."""


@dataclass(frozen=True)
class Clock:
    """The settings of a game's clock; without limits no seat is ever late."""

    move: Annotated[int, Between(0, 60 * DAY), Help("seconds for each move; 0: no limit")] = 0
    game: Annotated[int, Between(0, 365 * DAY), Help("seconds for all moves of a seat; 0: no limit")] = 0
    late: Annotated[
        Literal["default", "forfeit"],
        Help("what happens to a seat that is late: its default moves are played, or it forfeits"),
    ] = "default"
    quiet: Annotated[
        str,
        Matching(f"(?:{HOURS}-{HOURS})?", "hours such as 22:00-08:00", reads=in_ascii),
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
    """Return the clock of these settings; raise `Malformed`."""
    clock = shapes.read(Clock, data)
    try:
        _zone(clock)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Malformed({"zone": [text("There is no such time zone.")]}) from None
    if clock.quiet and not 0 < _quiet_minutes(clock) <= MOST_QUIET:
        raise Malformed({"quiet": [text("At most 16 hours of a day can be quiet.")]})
    return clock


def _zone(clock: Clock) -> ZoneInfo:
    return ZoneInfo(clock.zone or "UTC")


def _quiet_minutes(clock: Clock) -> int:
    start, end = (hour.hour * 60 + hour.minute for hour in _hours(clock))
    return (end - start) % (24 * 60)


class Times(NamedTuple):
    """The clocks of a table: since when each seat is awaited (or None), and the time it used before."""

    since: tuple[datetime | None, ...]
    used: tuple[timedelta, ...]


def started(seats: int, awaited: Sequence[int], at: datetime) -> Times:
    """Return the times of a new game."""
    since = tuple(at if seat in awaited else None for seat in range(seats))
    return Times(since, (NOTHING,) * seats)


def ticked(clock: Clock, times: Times, mover: int | None, awaited: Sequence[int], at: datetime) -> Times:
    """Return the times after an entry.

    The clock of the mover, and of each seat that is no longer awaited, stops, and the time counts as used.
    The clocks of other awaited seats keep running.
    """
    since, used = list(times.since), list(times.used)
    for seat, began in enumerate(times.since):
        if began is None or seat == mover or seat not in awaited:
            since[seat] = at if seat in awaited else None
            if began is not None:
                # Who was given time and is quicker than that has used less than before.
                used[seat] += thought(clock, began, at) - thought(clock, at, began)
    return Times(tuple(since), tuple(used))


def given(clock: Clock, times: Times, minutes: int) -> Times:
    """Return the times after all seats got some minutes, or with fewer than none lost them again.

    Who is awaited begins later, so that move and game both last longer; all others have used less.
    """
    more = timedelta(minutes=minutes)
    since = tuple(began and _later(clock, began, more) for began in times.since)
    used = tuple(used if began else used - more for began, used in zip(times.since, times.used, strict=True))
    return Times(since, used)


def _later(clock: Clock, began: datetime, more: timedelta) -> datetime:
    if more >= NOTHING:
        return after(clock, began, more)
    # Nobody gets more than hours, and no night is longer than 16: two days before, there was time enough.
    earliest = began - timedelta(days=2)
    return after(clock, earliest, thought(clock, earliest, began) + more)


def deadlines(clock: Clock, times: Times) -> tuple[datetime | None, ...]:
    """Return when each seat will be late: None if it is not awaited or has no limit."""
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
    """Return the time between two moments without the quiet hours; none where they are the other way."""
    if not clock.quiet:
        return max(NOTHING, at - began)
    nights = takewhile(lambda night: night[0] < at, _nights(clock, began))
    quiet = (min(end, at) - max(start, began) for start, end in nights)
    return max(NOTHING, at - began) - sum(quiet, NOTHING)


def after(clock: Clock, began: datetime, allowed: timedelta) -> datetime:
    """Return the moment at which the allowed time has passed, without the quiet hours."""
    now, left = began, allowed
    for start, end in _nights(clock, began):
        if now + left <= start:
            break
        left -= max(NOTHING, start - now)
        now = end
    return now + left


def waking(clock: Clock, at: datetime, by: datetime) -> datetime:
    """Return when to send a notice that is due at ``at``: then, or at the end of the quiet hours around it.

    If they end no earlier than ``by``, it is sent at their start.
    """
    start, end = next(_nights(clock, at), (at, at))
    if not start <= at < end:
        return at
    return end if end < by else start


def _nights(clock: Clock, began: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield start and end of all quiet hours that end after a moment, in UTC, indefinitely."""
    if not clock.quiet:
        return
    zone = _zone(clock)
    since, to = _hours(clock)
    day = began.astimezone(zone).date() - timedelta(days=1)
    while True:
        end = _moment(day + timedelta(days=int(to < since)), to, zone)
        if end > began:
            yield _moment(day, since, zone), end
        day += timedelta(days=1)


def _hours(clock: Clock) -> tuple[time, time]:
    since, to = clock.quiet.split("-")
    return time.fromisoformat(since), time.fromisoformat(to)


def _moment(day: date, hour: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, hour, zone).astimezone(UTC)
