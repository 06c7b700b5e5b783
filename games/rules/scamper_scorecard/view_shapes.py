"""The fields of a view of a score card, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated

from games.engine.shapes import Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Points, Seat
from games.rules.scamper.options import Contract
from games.rules.scamper.state import Name


@dataclass(frozen=True)
class Adjustment:
    """A bonus or penalty of a seat in a round, by the name that was entered (S32)."""

    seat: Seat
    name: Name
    points: Points


@dataclass(frozen=True)
class Row(EnteredRow):
    """An entered round."""

    contract: Contract
    dealer: Seat
    out: Annotated[Seat | None, Help("the seat that went out")]
    cards: Annotated[PerSeat, Help("the points of the cards that each seat still held")]
    adjustments: Annotated[tuple[Adjustment, ...], Length(0, MANY)]


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
class View(PaperView):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each entered deal")]
    contract: Annotated[Contract, Help("the contract of the deal in play")]
    dealer: Annotated[Seat, Help("the dealer of the deal in play")]
    first_dealer: Annotated[Seat, Help("the dealer of deal 1")]
    worth: Worth
