"""The next step of a competition at the present time."""

from typing import Final

from django.utils import timezone

from league.core import deadlines
from league.core.course import Step, next_step
from league.core.state.competition import Competition as State

_WAITING: Final = ("start", "play", "rule", "none")


def step_now(state: State) -> Step:
    """Return what the competition waits for now."""
    return next_step(state, overdue=deadlines.passed(state.current_round, timezone.now()))


def can_advance(state: State) -> bool:
    """Return whether the server can take the next step of an automatic competition."""
    return state.opening.pace == "automatic" and step_now(state) not in _WAITING
