"""The score card of Scamper: its fields, what is written on it, and its printed sheet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias, get_args

from games.engine import messages, shapes
from games.engine.cards import JOKER, pack
from games.engine.choosing import FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, all_of, text
from games.engine.paper import Card, check_filled, check_lines
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Points, Seat
from games.rules.scamper.options import (
    CONTRACTS,
    MOST_SEATS,
    PACKS,
    AdvancedPoints,
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
from games.rules.scamper.scoring import points as hand_points
from games.rules.scamper.state import POINTS, Called, Name

# ---- Fields --------------------------------------------------------------------------------------

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
    advanced_points: AdvancedPoints = True

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


# ---- The card ------------------------------------------------------------------------------------

NOBODY_OUT: Final = text("Nobody has 0: did nobody go out in this deal?")
SMALLEST_CARD: Final = 5
DEALERS: Final[tuple[Called, ...]] = ("exact_deal", "misdeal")
OF_THE_DEAL: Final[tuple[Called, ...]] = ("first_dealer", *DEALERS)

ADVANCED_ONLY: Final[tuple[Called, ...]] = (*DEALERS, "too_many_wilds", "undeclared")

State: TypeAlias = Card[Options, Result]


def dealer(state: State, number: int) -> int:
    """Return the seat that deals a round (S5)."""
    return (state.options.first_dealer + number - 1) % state.seats


def check_result(state: State, number: int, seats: Sequence[Held]) -> None:
    """Raise `Illegal` for an impossible result, `Malformed` where points are missing."""
    check_lines(state.seats, seats, "S1")
    check_filled([held.cards for held in seats], state.out, "cards")
    for refusal in (*_wrong_points(state, seats), *_wrong_adjustments(state, number, seats)):
        raise refusal


def _wrong_points(state: State, seats: Sequence[Held]) -> Iterator[Illegal]:
    points = [held.cards or 0 for held in seats]
    if odd := [seat for seat, own in enumerate(points) if own % SMALLEST_CARD]:
        yield Illegal("The points of cards are multiples of 5.", "S3", _fields(odd, "cards"))
    out = [seat for seat, own in enumerate(points) if own == 0 and seat not in state.out]
    if len(out) > 1:
        yield Illegal("At most one seat can have gone out.", "S25", _fields(out, "cards"))
    if sum(points) > _most_points(state):
        yield Illegal("So many points are not in the packs.", "S3", _fields(range(len(seats)), "cards"))


def _fields(seats: Iterable[int], part: str) -> list[str]:
    """Return the paths of a field of these seats."""
    return [f"seats.{seat}.{part}" for seat in seats]


def _most_points(state: State) -> int:
    """Return the points of all cards in play (S2, S3)."""
    jokers = state.options.wild_cards != "none"
    one_pack = hand_points(card for card in pack() if jokers or card != JOKER)
    return one_pack * state.options.most_packs(state.seats)


def _wrong_adjustments(state: State, number: int, seats: Sequence[Held]) -> Iterator[Illegal]:
    for seat, held in enumerate(seats):
        if not state.options.advanced_points and {*held.adjustments} & {*ADVANCED_ONLY}:
            sentence = text("These points are for advanced play only, which was not chosen here.")
            yield Illegal(sentence, "S33", _fields([seat], "adjustments"))
        fields, able = _fields([seat], "adjustments"), names_for(state, number, seat)
        if held.adjustments.count("first_dealer") > ("first_dealer" in able):
            first = messages.seat(dealer(state, 1))
            sentence = text("The first dealer's bonus is for %(seat)s in deal 1, once.", seat=first)
            yield Illegal(sentence, "S6", fields)
        deals = [name for name in held.adjustments if name in DEALERS]
        if not {*deals} <= {*able}:
            dealt = messages.seat_first(dealer(state, number))
            yield Illegal(
                "The dealer of deal %(round)s was %(seat)s.", "S5", fields, seat=dealt, round=number
            )
        if len({*deals}) > 1 or deals.count("exact_deal") > 1:
            yield Illegal("A deal is exact once, or it is a misdeal.", "S33", fields)


def names_for(state: State, number: int, seat: int) -> tuple[Called, ...]:
    """Return the adjustments that a seat can have in a round; those of the deal are the dealer's (S5, S6)."""
    dealt = DEALERS if seat == dealer(state, number) else ()
    bonus = ("first_dealer",) if dealt and number == 1 else ()
    left_out = () if state.options.advanced_points else ADVANCED_ONLY
    able = (name for name in NAMES if name not in OF_THE_DEAL or name in (*dealt, *bonus))
    return tuple(name for name in able if name not in left_out)


def points_of(state: State, number: int) -> tuple[int, ...]:
    """Return each seat's points in a round: of its cards, and of its adjustments (S25, S32)."""
    adds = worth(state.options)
    held = state.result(number).seats
    return tuple((each.cards or 0) + sum(adds[name] for name in each.adjustments) for each in held)


def gone_out(state: State, number: int) -> int | None:
    """Return the seat that went out in a round (S25), None for nobody; one that had left comes last."""
    out = [seat for seat, held in enumerate(state.result(number).seats) if held.cards == 0]
    return min(out, key=lambda seat: (seat in state.out, seat), default=None)


def worth(options: Options) -> Mapping[str, int]:
    """Return the points of each adjustment (S6, S30 to S33)."""
    bonus = options.first_dealer_bonus
    return {name: bonus if name == "first_dealer" else POINTS[name] for name in NAMES}


# ---- The printed sheet ---------------------------------------------------------------------------

ABOUT_SEATS: Final = text(
    "For each seat the points of its cards, 0 for the player who went out, and adjustments by name."
)
ABOUT_CARDS: Final = text(
    "A multiple of %(smallest)s; 0 for the player who went out.", smallest=SMALLEST_CARD
)


def result_fields(state: State, number: int, result: Result | None) -> dict[str, FieldChoice]:
    """Return the lines of a round's result: drafted from the present one, or with an example."""
    expected = tuple(Held(0, _expected(state, number, seat)) for seat in range(state.seats))
    drafts = result.seats if result else expected
    lines = tuple(
        _line(state, number, seat, held.cards if result else None, list(held.adjustments))
        for seat, held in enumerate(drafts)
    )
    example: list[Json] = [{"cards": SMALLEST_CARD * min(seat, 1)} for seat in range(state.seats)]
    shown = [*map(shapes.write, result.seats)] if result else example
    return {"seats": FieldChoice((shown,), complete=False, about=ABOUT_SEATS, by_seat=lines)}


def _expected(state: State, number: int, seat: int) -> tuple[Called, ...]:
    """Return the adjustments that a seat has unless somebody takes them away: the first dealer's (S6)."""
    bonus = number == 1 and seat == dealer(state, 1) and state.options.first_dealer_bonus != 0
    return ("first_dealer",) if bonus and seat not in state.out else ()


def _line(
    state: State, number: int, seat: int, cards: int | None, adjustments: list[Json]
) -> dict[str, FieldChoice]:
    """Return the fields of a seat, with drafts for a form."""
    points, names = worth(state.options), names_for(state, number, seat)
    return {
        "cards": FieldChoice(complete=False, optional=seat in state.out, about=ABOUT_CARDS, draft=cards),
        "adjustments": FieldChoice(
            names, optional=True, draft=adjustments or None, worth={name: points[name] for name in names}
        ),
    }


# ---- What it tells ---------------------------------------------------------------------------------


def facts(state: State, number: int) -> JsonObject:
    """Return contract and dealer of the round in play, the first dealer, and each adjustment's points."""
    return {
        "contract": state.options.contracts[number - 1].as_json(),
        "dealer": dealer(state, number),
        "first_dealer": state.options.first_dealer,
        "worth": worth(state.options),
    }


def row(state: State, number: int) -> JsonObject:
    """Return what a game on the server tells of a round."""
    return {
        "contract": state.options.contracts[number - 1].as_json(),
        "dealer": dealer(state, number),
        "out": gone_out(state, number),
        "cards": [held.cards or 0 for held in state.result(number).seats],
        "adjustments": [*_called(state, number), *_penalties(state, number)],
    }


def _called(state: State, number: int) -> list[Json]:
    points = worth(state.options)
    return [
        {"seat": seat, "name": name, "points": points[name]}
        for seat, held in enumerate(state.result(number).seats)
        for name in held.adjustments
    ]


def _penalties(state: State, number: int) -> list[Json]:
    return [
        {"seat": each.seat, "name": "penalty", "points": each.points}
        for each in state.penalties
        if each.round == number
    ]
