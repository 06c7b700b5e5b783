"""Take back the last adjustment of an entry's points."""

from dataclasses import dataclass

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import begun_stage
from league.core.state.competition import Competition
from league.core.state.updates import with_stage
from league.core.verb import UNDER_WAY, Button, EntryVerb


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    reason: v.Note = ""


class AdjustmentTakenBack(_Fields, Event, type="adjustment_taken_back"):
    """The last adjustment of an entry's points in the current stage no longer counts."""

    title = "Adjustment taken back"
    found_by = "points restored, undone"
    text = "The last adjustment of %(entry)s is taken back."
    text_before = "Taken back: %(before)s"
    about = ("entry",)
    replaces = ("adjusted",)
    takes_back = True
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        entry, stage = state.entry(self.entry), begun_stage(state)
        own = [each for each in stage.adjustments if each.entry == self.entry]
        if not own:
            raise Illegal(text("The points of %(name)s were not adjusted in this stage.", name=entry.name))
        left = tuple(each for each in stage.adjustments if each is not own[-1])
        return with_stage(state, replace(stage, adjustments=left))


class TakeBackAdjustment(_Fields, EntryVerb, key="take-back-adjustment"):
    """Take back the last adjustment of an entry's points in the current stage."""

    taken_back_by = ("adjust",)
    scope = "club:rule"
    event = AdjustmentTakenBack
    take_back_adjustment = Button(
        "Take back an adjustment",
        "The last adjustment of the entry’s points no longer counts.",
        "Adjust the points again.",
        statuses=UNDER_WAY,
        asks=("entry", "reason"),
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        adjusted = {each.entry for each in state.stage.adjustments} if state.stage else set()
        return tuple(entry.id for entry in state.entries if entry.id in adjusted)
