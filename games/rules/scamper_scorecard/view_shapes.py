"""The fields of a view of a score card, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated, Literal

from games.engine import views
from games.engine.shapes import Help, Length
from games.engine.views import MANY, Count, Points, Seat
from games.rules.scamper import view_shapes as scamper
from games.rules.scamper.options import Contract


@dataclass(frozen=True)
class Row(scamper.Row):
    """An entered round."""

    entered_by: Annotated[Seat | None, Help("the seat that entered it, null for a scorekeeper")]
    confirmed: bool
    confirmed_by: Annotated[Seat | None, Help("the seat that confirmed it, null for an organiser or nobody")]
    corrections: Annotated[Count, Help("how often it has been corrected")]


@dataclass(frozen=True)
class Worth:
    """The points of each adjustment by name."""

    first_dealer: Points
    exact_deal: Points
    misdeal: Points
    wrong_meld: Points
    too_many_wilds: Points
    wrong_challenge: Points
    undeclared: Points
    advice: Points


@dataclass(frozen=True)
class View(views.View):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each entered round")]
    phase: Literal["enter", "confirm", "over"]
    contract: Annotated[Contract, Help("the contract of the round in play")]
    dealer: Annotated[Seat, Help("the dealer of the round in play")]
    first_dealer: Annotated[Seat, Help("the dealer of round 1")]
    unconfirmed: Annotated[tuple[Count, ...], Length(0, MANY), Help("the rounds that must be confirmed")]
    worth: Worth
