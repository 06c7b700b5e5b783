"""The next step of a competition at the present time."""

from datetime import datetime

from games import database_time
from league.core import deadlines
from league.core.course import Step, acts_at, next_step, wait
from league.core.state.competition import Competition as State


def step_now(state: State) -> Step:
    """Return what the competition waits for now."""
    return next_step(state, overdue=deadlines.passed(state.current_round, database_time.now()))


def can_advance(state: State, changed_at: datetime) -> bool:
    """Return whether the server can take the next step now; ``changed_at`` is the last event's time."""
    at = acts_at(changed_at, wait(state, step_now(state)))
    return at is not None and at <= database_time.now()
