"""Resume: the pause is over."""

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state.competition import Competition
from league.core.verb import Button, Verb


class Resumed(Event, type="resumed"):
    """The pause is over."""

    title = "Pause ended"
    found_by = "resumed, continued"
    text = "The competition resumes."

    def apply(self, state: Competition) -> Competition:
        if state.status != "paused":
            raise Illegal("The competition is not paused.")
        return replace(state, status="running", reason="")


class ResumeCompetition(Verb, key="resume"):
    """Resume a paused competition."""

    taken_back_by = ("pause",)
    event = Resumed
    resume = Button(
        "Resume",
        "The pause is over.",
        "You can pause again.",
        statuses=("paused",),
    )
