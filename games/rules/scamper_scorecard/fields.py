"""The options of a score card of Scamper, the result of a round, and the fields of its views."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, get_args

from games.engine.messages import Message, all_of, text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Points, Seat
from games.rules.scamper.options import (
    CONTRACTS,
    MOST_SEATS,
    PACKS,
    Bonus,
    Contract,
    Contracts,
    Packs,
    Rounds,
    StockOut,
    Wild,
    contract_errors,
)
from games.rules.scamper.rounds import MOST_ADDED
from games.rules.scamper.state import Called, Name

MOST_NAMES: Final = 20

NAMES: Final[tuple[Called, ...]] = get_args(Called)


@dataclass(frozen=True)
class Options:
    """The options of a score card."""

    contracts: Contracts = CONTRACTS
    rounds: Rounds = None
    wild_cards: Wild = "jokers_and_deuces"
    packs: Packs = None
    stock_out: StockOut = "replay"
    first_dealer: Annotated[
        int,
        Between(0, MOST_SEATS - 1),
        Help("The seat that deals first."),
        Label("First dealer’s seat", from_one=True),
    ] = 0
    first_dealer_bonus: Bonus = -20

    @property
    def played(self) -> tuple[Contract, ...]:
        """Return the contracts of the rounds that are played."""
        return self.contracts[: self.rounds]

    def most_packs(self, seats: int) -> int:
        """Return the maximum number of packs in a round (S2, S28, S29)."""
        return (self.packs or PACKS[seats]) + (MOST_ADDED if self.stock_out == "add_pack" else 0)


def check(options: Options, seats: int) -> None:
    """Raise `Malformed` if a contract, the number of rounds or the first dealer's seat is wrong."""
    errors = contract_errors(options.contracts, options.rounds)
    if options.first_dealer >= seats:
        errors["first_dealer"] = [text("The table has only %(seats)s seats.", seats=seats)]
    if errors:
        raise Malformed(errors)


@dataclass(frozen=True)
class Held:
    """The result of a seat in a round: the points of its cards, and its bonuses and penalties."""

    cards: Annotated[
        Annotated[int, Between(0, 10_000)] | None,
        Help(
            "points of the cards left in hand; 0 for the player who went out; left out for a seat that has "
            "left the game"
        ),
    ] = None
    adjustments: Annotated[
        tuple[Called, ...], Length(0, MOST_NAMES), Help("each as often as it happened")
    ] = ()


@dataclass(frozen=True)
class Result:
    """The result of a round."""

    seats: Annotated[tuple[Held, ...], Length(2, MOST_SEATS), Help("one for each seat, in order")]


ADJUSTMENTS: Final[Mapping[Called, Message]] = {
    "first_dealer": text("first dealer"),
    "exact_deal": text("exact deal"),
    "misdeal": text("misdeal"),
    "wrong_meld": text("wrong meld"),
    "too_many_wilds": text("too many wild cards"),
    "wrong_challenge": text("wrong challenge"),
    "undeclared": text("Scamper not declared"),
    "advice": text("advice"),
}


def in_words(result: Result) -> str:
    """Return a result in words: the points of each seat's cards and its adjustments."""
    return all_of([_points_of(held) for held in result.seats])


def _points_of(held: Held) -> str:
    """Return the points of a seat's cards and its adjustments, such as ``25 (misdeal)``."""
    cards = "–" if held.cards is None else str(held.cards)
    if not held.adjustments:
        return cards
    names = all_of([ADJUSTMENTS[name] for name in held.adjustments])
    return text("%(points)s (%(adjustments)s)", points=cards, adjustments=names)


# ---- Views -----------------------------------------------------------------------------------------


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
