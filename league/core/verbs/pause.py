"""Pause: no round is drawn, published or closed for a while."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.verb import RUNNING, Button, Verb


@dataclass(frozen=True)
class _Fields:
    reason: v.Note = ""


class Paused(_Fields, Event, type="paused"):
    """No round is drawn, published or closed until the competition resumes; open games still count."""

    title = "Pause"
    found_by = "paused, interrupted, break"
    text = "The competition is paused."

    def apply(self, state: Competition) -> Competition:
        if state.status != "running":
            raise Illegal("Only a running competition can be paused.")
        return replace(state, status="paused", reason=self.reason)


def held(state: Competition, reason: str) -> Sequence[Paused]:
    """Return the event that pauses an automatic competition, which would else do again what is taken back."""
    automatic = state.opening.pace == "automatic" and state.status == "running"
    return (Paused(reason),) if automatic else ()


class PauseCompetition(_Fields, Verb, key="pause"):
    """Pause the competition: no round is drawn, published or closed; open games still count."""

    taken_back_by = ("resume",)
    event = Paused
    pause = Button(
        "Pause",
        "No round is drawn, published or closed until you resume. Open games can be finished.",
        "You can resume at any time.",
        statuses=RUNNING,
        asks=("reason",),
    )
