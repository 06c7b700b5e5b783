"""Set the deadline of the current round."""

from typing import Annotated

from games.engine.shapes import Help, Label
from games.engine.values import replace
from league.core import deadlines
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import begun_stage, played_round
from league.core.state.competition import Competition
from league.core.state.updates import with_round
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb


class DeadlineSet(Event, type="deadline_set"):
    """The current round gets another deadline, or none."""

    title = "Deadline"
    found_by = "time limit, extended, due date"
    text = "The deadline of round %(round)s is set: %(deadline)s."
    text_before = "The deadline of round %(round)s is changed: %(before)s → %(deadline)s."
    about = ("stage", "round")
    replaces = ("published", "deadline_set")
    stage: v.Count
    round: v.Count
    deadline: v.Time | None = None
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        # Also while the competition is paused: the pause may be the reason.
        stage, played = played_round(state, self.stage, self.round)
        return with_round(state, stage, replace(played, deadline=self.deadline))


class SetDeadline(Verb, key="set-deadline"):
    """Set the deadline of the current round; null for none. This works during a pause too."""

    taken_back_by = ("set-deadline",)
    set_deadline = Button(
        "Set the deadline",
        "The current round must be finished by then. All players see the deadline.",
        "You can set it again at any time.",
        statuses=UNDER_WAY,
        part="round",
        asks=("deadline", "reason"),
    )

    deadline: Annotated[v.Instant | None, Label("Deadline"), Help("null for none")]
    reason: v.Note = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.current_round is not None

    def decide(self, state: Competition, given: Given) -> Events:
        until = deadlines.read(self.deadline, given.now)
        stage = begun_stage(state)
        return (DeadlineSet(stage.number, len(stage.shown_rounds), until, self.reason),)
