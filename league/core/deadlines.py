"""Deadlines of rounds: read from input, computed from a plan, and compared with the time."""

from datetime import UTC, datetime, timedelta

from games.engine.chain import stamp
from games.engine.messages import text
from games.engine.refusals import Malformed
from league.core.state.competition import Round
from league.core.state.plan import StagePlan


def read(deadline: str | None, now: datetime) -> str | None:
    """Return a deadline as the log writes it; raise `Malformed` for a time that has passed or is no time."""
    if not deadline:
        return None
    try:
        until = datetime.fromisoformat(deadline).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Malformed({"deadline": [text("There is no such time.")]}) from None
    if until <= now:
        raise Malformed({"deadline": [text("This time has passed.")]})
    return stamp(until)


def planned(plan: StagePlan, now: datetime) -> str | None:
    """Return the deadline of a round that is published now, at a full hour, None if the plan has none."""
    if not plan.hours:
        return None
    end = now.astimezone(UTC) + timedelta(hours=plan.hours, minutes=59, seconds=59)
    return stamp(end.replace(minute=0, second=0, microsecond=0))


def passed(its_round: Round | None, now: datetime) -> bool:
    """Return whether a round has a deadline that has passed."""
    if its_round is None or its_round.deadline is None:
        return False
    return datetime.fromisoformat(its_round.deadline) <= now
