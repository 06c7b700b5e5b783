"""Points and places that an organiser gives."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Final

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help
from games.engine.values import replace
from league.core import formats
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Adjustment, Competition, Placement
from league.core.state.updates import begun_stage, with_stage, with_status
from league.core.verb import UNDER_WAY, Button, EntryVerb, Events, Given

_FINEST: Final = 10**30
"""The finest fraction that the adjustments of an entry may add up to."""

# ---- Adjust --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _AdjustFields:
    entry: v.EntryId
    points: Annotated[
        v.Points,
        Help(
            "added to the total: a whole number or a fraction such as 2 or 1/2; "
            "with - before it, it is taken off"
        ),
    ]
    reason: v.Reason


class Adjusted(_AdjustFields, Event, type="adjusted"):
    """Points are added to an entry's total in the stage."""

    title = "Points adjusted"
    found_by = "adjustment, penalty points, bonus, deduction"
    text = "The points of %(entry)s are adjusted by %(points)s."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        stage = state.stage
        if stage is None or self.entry not in stage.entries:
            raise Illegal("Only an entry of the current stage can be given points.")
        since = len(stage.shown_rounds)
        adjustment = Adjustment(self.entry, Fraction(self.points), self.reason, state.seq + 1, since)
        return with_stage(state, replace(stage, adjustments=(*stage.adjustments, adjustment)))


class AdjustPoints(_AdjustFields, EntryVerb, key="adjust"):
    """Add points to an entry's total in the current stage, or subtract them.

    Standings show them from the current round on.
    """

    taken_back_by = ("take-back-adjustment",)
    scope = "club:rule"
    event = Adjusted
    takes = ("entered", "withdrawn")
    adjust = Button(
        "Adjust points",
        "Points are added to an entry’s total, or subtracted from it. Everybody can see this.",
        "“Take back an adjustment”.",
        statuses=UNDER_WAY,
        asks=("entry", "points", "reason"),
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        if state.stage and formats.of(state.stage.plan).ranked_by():
            return ()  # on a ladder points decide nothing
        outside = state.outside
        return tuple(entry for entry in super().candidates(state) if entry not in outside)

    def decide(self, state: Competition, given: Given) -> Events:
        earlier = state.stage.adjustments if state.stage else ()
        own = [each.points.denominator for each in earlier if each.entry == self.entry]
        if lcm(*own, Fraction(self.points).denominator) > _FINEST:
            raise Malformed({"points": [text("This fraction is too fine to be added: round it.")]})
        return super().decide(state, given)


# ---- Take back adjustment ------------------------------------------------------------------------


@dataclass(frozen=True)
class _TakeBackFields:
    entry: v.EntryId
    reason: v.Note = ""


class AdjustmentTakenBack(_TakeBackFields, Event, type="adjustment_taken_back"):
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
            raise Illegal("The points of %(name)s were not adjusted in this stage.", name=entry.name)
        left = tuple(each for each in stage.adjustments if each is not own[-1])
        return with_stage(state, replace(stage, adjustments=left))


class TakeBackAdjustment(_TakeBackFields, EntryVerb, key="take-back-adjustment"):
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


# ---- Place ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _PlaceFields:
    entry: v.EntryId
    group: Annotated[int, Between(1, 100), Help("its group or division in the next stage; 1 is the first")]
    reason: v.Reason


class EntryPlaced(_PlaceFields, Event, type="placed"):
    """An entry plays in this group of the next stage, whatever its rank; a later placement replaces it."""

    title = "Placement in the next stage"
    found_by = "placed, promoted, relegated by an organiser"
    text = "Placed in group %(group)s of the next stage: %(entry)s."

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


class PlaceEntry(_PlaceFields, EntryVerb, key="place"):
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


# ---- Take back placement -------------------------------------------------------------------------


class PlacementTakenBack(_TakeBackFields, Event, type="placement_taken_back"):
    """An organiser's placement of an entry in the next stage no longer counts."""

    title = "Placement taken back"
    found_by = "undone"
    text = "The placement of %(entry)s is taken back."
    text_before = "Taken back: %(before)s"
    about = ("entry",)
    replaces = ("placed",)
    takes_back = True

    def apply(self, state: Competition) -> Competition:
        left = tuple(each for each in state.placements if each.entry != self.entry)
        if left == state.placements:
            raise Illegal("This entry is not placed.")
        return replace(state, placements=left)


class TakeBackPlacement(_TakeBackFields, EntryVerb, key="take-back-placement"):
    """Take an entry's placement in the next stage back: it goes where its rank leads."""

    event = PlacementTakenBack
    taken_back_by = ("place",)
    take_back_placement = Button(
        "Take back a placement",
        "The entry is placed by its rank again; a new entry begins where all new entries begin.",
        "Place it again.",
        part="entries",
        asks=("entry", "reason"),
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        return tuple(each.entry for each in state.placements)

    def decide(self, state: Competition, given: Given) -> Events:
        if self.entry not in self.candidates(state):
            return ()
        return super().decide(state, given)
