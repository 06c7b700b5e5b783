"""The fields of a view of Scamper, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine import views
from games.engine.cards import AnyCard
from games.engine.shapes import Help, Length
from games.engine.views import MANY, Count, PerSeat, Points, Seat
from games.rules.scamper import moves
from games.rules.scamper.moves import Kind, MeldId
from games.rules.scamper.options import MOST_SEATS, Contract
from games.rules.scamper.state import Name, Phase

Cards: TypeAlias = Annotated[tuple[AnyCard, ...], Length(0, MANY)]
Seats: TypeAlias = Annotated[tuple[Seat, ...], Length(0, MOST_SEATS)]


@dataclass(frozen=True)
class Adjustment:
    """A bonus or penalty of a seat in a round (S32)."""

    seat: Seat
    name: Name
    points: Points
    rule: Annotated[str, Length(1, 5), Help("the rule that was broken or gives the points")]
    why: Annotated[str, Length(1, 1000), Help("what happened")]


Adjustments: TypeAlias = Annotated[tuple[Adjustment, ...], Length(0, MANY)]


@dataclass(frozen=True)
class Row(views.Row):
    """A finished round."""

    contract: Contract
    dealer: Seat
    out: Annotated[Seat | None, Help("the seat that went out")]
    cards: Annotated[PerSeat, Help("the points of the cards that each seat still held")]
    adjustments: Adjustments
    totals: Annotated[PerSeat, Help("the total of each seat after this deal")]


@dataclass(frozen=True)
class Meld:
    """A meld on the table."""

    id: MeldId
    seat: Annotated[Seat, Help("the seat that laid it")]
    kind: Kind
    cards: Annotated[Cards, Help("a run from low to high")]


Melds: TypeAlias = Annotated[tuple[Meld, ...], Length(0, MANY)]


@dataclass(frozen=True, kw_only=True)
class MeldLaid(moves.Meld):
    """A move that laid melds."""

    type: Literal["meld"]


@dataclass(frozen=True, kw_only=True)
class LaidOff(moves.LayOff):
    """A move that laid cards off."""

    type: Literal["lay_off"]


@dataclass(frozen=True, kw_only=True)
class Swapped(moves.Swap):
    """A move that swapped a wild card."""

    type: Literal["swap"]


@dataclass(frozen=True)
class Challenge:
    """What may be challenged: everything that a seat laid in its turn (S30)."""

    seat: Seat
    laid: Annotated[tuple[MeldLaid | LaidOff | Swapped, ...], Length(0, MANY), Help("its moves, in order")]
    melds: Annotated[Melds, Help("the table before the turn")]
    down: Annotated[Seats, Help("the seats whose contract was down before the turn")]
    heard: Annotated[Seats, Help("the seats whose challenge has failed")]


@dataclass(frozen=True)
class Drawn:
    """The cards that a seat turned up in a draw for the first deal."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True)
class View(views.View):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each finished deal")]
    phase: Phase
    contract: Contract
    dealer: Seat
    hands: Annotated[tuple[Count, ...], Length(2, MOST_SEATS), Help("the number of cards of each seat")]
    discard: Annotated[AnyCard | None, Help("the top card of the discard pile")]
    discards: Annotated[Cards, Help("the discard pile, the oldest card first")]
    stock: Annotated[Count, Help("the number of cards in the stock")]
    melds: Melds
    down: Annotated[Seats, Help("the seats whose contract is down")]
    offer: Annotated[Seat | None, Help("the seat that the discard is offered to")]
    attempt: Annotated[Count, Help("how often the deal has been repeated before")]
    adjustments: Annotated[Adjustments, Help("bonuses and penalties of this deal so far")]
    challenge: Annotated[Challenge | None, Help("what may be challenged now")]
    hand: Annotated[Cards | None, Help("the viewer's cards, sorted; null for a spectator")]
    drawn: Annotated[AnyCard | None, Help("the card that the viewer drew in this turn")]
    aces: Literal["high", "both"]
    wild: Annotated[Annotated[tuple[AnyCard, ...], Length(0, 54)], Help("the wild cards")]
    strict_ratio: Annotated[bool, Help("whether every meld must hold more natural cards than wild ones")]
    checked: Annotated[bool, Help("whether melds that break a rule are refused; else they are challenged")]
    draws: Annotated[
        tuple[Annotated[tuple[Drawn, ...], Length(0, MOST_SEATS)], ...],
        Length(0, MANY),
        Help("the draws for the first deal, each among the seats that were level before"),
    ]
