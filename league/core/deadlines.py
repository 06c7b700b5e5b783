"""Deadlines of rounds: read from input, computed from a plan, and compared with the time."""

from datetime import UTC, datetime, timedelta, tzinfo
from itertools import count
from zoneinfo import ZoneInfo

from games.engine.chain import stamp
from games.engine.messages import Message, text
from games.engine.refusals import Malformed
from league.core.state.competition import Round
from league.core.state.plan import StagePlan
from league.core.state.values import LAST_YEAR


def read(deadline: str | None, now: datetime) -> str | None:
    """Return a deadline as the log writes it.

    Raises `Malformed` for a time that has passed, that is after `LAST_YEAR`, or that is no time.
    """
    if not deadline:
        return None
    try:
        until = datetime.fromisoformat(deadline).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Malformed({"deadline": [text("There is no such time.")]}) from None
    if until <= now:
        raise Malformed({"deadline": [text("This time has passed.")]})
    if until.year > LAST_YEAR:
        raise Malformed({"deadline": [text("This time is after the year %(year)s.", year=LAST_YEAR)]})
    return stamp(until)


def instants(wall: datetime, zone: tzinfo) -> tuple[datetime, ...]:
    """Return when clocks in a zone show this time: once, twice where they go back, never where forward."""
    read = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return tuple(sorted(at for at in read if at.astimezone(zone).replace(tzinfo=None) == wall))


def unclear(wall: datetime, zone: tzinfo) -> Message | None:
    """Return what to ask about a time that clocks in a zone don't show exactly once, with the nearest two."""
    shown = len(instants(wall, zone))
    if shown == 1:
        return None
    before, after = (_nearest(wall, timedelta(minutes=sign), zone) for sign in (-1, 1))
    if shown:
        return text(
            "Clocks show this time twice on this day: they go back. Choose %(before)s or %(after)s.",
            before=before,
            after=after,
        )
    return text(
        "There is no such time on this day: the clocks go forward. Choose %(before)s or %(after)s.",
        before=before,
        after=after,
    )


def _nearest(wall: datetime, step: timedelta, zone: tzinfo) -> str:
    """Return the next time, in full minutes, that clocks show once; with its date where that is another."""
    start = wall.replace(second=0, microsecond=0)
    found = next(at for n in count(1) if len(instants(at := start + n * step, zone)) == 1)
    return f"{found:%H:%M}" if found.date() == wall.date() else f"{found:%Y-%m-%d %H:%M}"


def planned(plan: StagePlan, now: datetime, zone: str) -> str | None:
    """Return the deadline of a round that is published now, None if the plan has none.

    Whole days lead to the same time of day in the zone, other hours are counted; then it is the next full
    hour there. The log keeps the instant, so that later rules of the zone change nothing.
    """
    if not plan.hours:
        return None
    days, hours = divmod(plan.hours, 24)
    here = now.astimezone(ZoneInfo(zone))
    same_time = (here + timedelta(days=days)).astimezone(UTC) + timedelta(hours=hours)
    until = same_time.astimezone(here.tzinfo).replace(microsecond=0)
    beyond = timedelta(minutes=until.minute, seconds=until.second)
    return stamp(until.astimezone(UTC) + (timedelta(hours=1) - beyond if beyond else timedelta()))


def passed(its_round: Round | None, now: datetime) -> bool:
    """Return whether a round has a deadline that has passed."""
    if its_round is None or its_round.deadline is None:
        return False
    return datetime.fromisoformat(its_round.deadline) <= now
