"""Take back a placement: an entry goes where its rank leads, or where everybody begins."""

from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.verb import Button, EntryVerb, Events, Given


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    reason: v.Note = ""


class PlacementTakenBack(_Fields, Event, type="placement_taken_back"):
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


class TakeBackPlacement(_Fields, EntryVerb, key="take-back-placement"):
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
