"""Adjust points: an organiser adds points to an entry's total."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from games.engine.refusals import Illegal
from games.engine.shapes import Help
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Adjustment, Competition
from league.core.state.updates import with_stage
from league.core.verb import UNDER_WAY, Button, EntryVerb


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    points: Annotated[
        v.Points, Help("added to the total: a whole number or a fraction such as 2, -1 or -1/2")
    ]
    reason: v.Reason


class Adjusted(_Fields, Event, type="adjusted"):
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


class AdjustPoints(_Fields, EntryVerb, key="adjust"):
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
