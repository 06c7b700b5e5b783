"""Remove a further stage that was announced and has not begun."""

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_unless_under_way
from league.core.state.competition import Competition
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb


class StageRemoved(Event, type="stage_removed"):
    """The last stage, which was announced after the opening and has not begun, is not played."""

    title = "Stage or season removed"
    found_by = "season cancelled"
    text = "%(stage)s is removed."
    stage: v.Count
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        if self.stage != len(state.plans) or len(state.plans) <= len(state.opening.stages):
            raise Illegal("Only the last stage can be removed, if it was added after the opening.")
        if self.stage <= len(state.stages):
            raise Illegal(
                text("Stage %(stage)d has begun; take back its start first.", stage=self.stage),
            )
        return replace(state, plans=state.plans[:-1])


class RemoveStage(Verb, key="remove-stage"):
    """Remove the last stage, which was added after the opening and has not begun."""

    taken_back_by = ("add-stage",)
    remove_stage = Button(
        "Remove the last stage",
        "The stage or season that was added last is removed.",
        "Add it again.",
        statuses=UNDER_WAY,
        asks=("reason",),
        danger=True,
    )

    reason: v.Note = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        added = len(state.plans) > len(state.opening.stages)
        return added and len(state.plans) > len(state.stages)

    def decide(self, state: Competition, given: Given) -> Events:
        return (StageRemoved(len(state.plans), self.reason),)
