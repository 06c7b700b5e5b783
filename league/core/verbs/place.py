"""Place: an organiser decides in which group of the next stage an entry plays, whatever its rank."""

from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import with_status
from league.core.state.competition import Competition, Placement
from league.core.verb import Button, EntryVerb, Events, Given


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    group: Annotated[int, Between(1, 100), Help("its group or division in the next stage; 1 is the first")]
    reason: v.Reason


class EntryPlaced(_Fields, Event, type="placed"):
    """An entry plays in this group of the next stage, whatever its rank; a later placement replaces it."""

    title = "Placement in the next stage"
    found_by = "placed, promoted, relegated by an organiser"
    text = "%(entry)s is placed in group %(group)s of the next stage."

    def apply(self, state: Competition) -> Competition:
        with_status(state, self.entry, "entered", text("Only an entry that takes part can be placed."))
        if state.next_plan is None:
            raise Illegal("No further stage is planned: add it first.")
        if self.group > state.next_plan.groups:
            raise Illegal(_no_group(state.next_plan.groups))
        others = tuple(each for each in state.placements if each.entry != self.entry)
        placement = Placement(self.entry, self.group, self.reason)
        if placement in state.placements:
            return state
        return replace(state, placements=(*others, placement))


def _no_group(groups: int) -> Message:
    return plural("The next stage has %(count)d group.", "The next stage has %(count)d groups.", groups)


class PlaceEntry(_Fields, EntryVerb, key="place"):
    """Place an entry in a group or division of the next stage, whatever its rank; everybody sees the reason.

    Possible until that stage begins. It is an extra place: nobody is relegated for it, and the place that the
    entry leaves is filled.
    """

    event = EntryPlaced
    taken_back_by = ("take-back-placement",)
    place = Button(
        "Place an entry in the next stage",
        "The entry plays in this group or division of the next stage, whatever its rank. "
        "Everybody can see the reason.",
        "“Take back a placement” works until the stage begins.",
        part="entries",
        asks=("entry", "group", "reason"),
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        plan = state.next_plan
        chooses = plan and (plan.groups > 1 or plan.intake.source == "best")
        return bool(chooses) and super().offered(state, button)

    def decide(self, state: Competition, given: Given) -> Events:
        if state.next_plan and self.group > state.next_plan.groups:
            raise Malformed({"group": [_no_group(state.next_plan.groups)]})
        return super().decide(state, given)
