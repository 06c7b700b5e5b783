"""Results of a round on a score card: their points, and what refuses impossible ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from games.engine import messages
from games.engine.cards import JOKER, pack
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.scorecards import Card, check_filled, check_lines
from games.rules.scamper.scoring import points as hand_points
from games.rules.scamper.state import POINTS, Called
from games.rules.scamper_scorecard.fields import NAMES, Held, Options, Result

NOBODY_OUT: Final = text("Nobody has 0: did nobody go out in this deal?")
SMALLEST_CARD: Final = 5
DEALERS: Final[tuple[Called, ...]] = ("exact_deal", "misdeal")
OF_THE_DEAL: Final[tuple[Called, ...]] = ("first_dealer", *DEALERS)

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
        fields, able = _fields([seat], "adjustments"), names_for(state, number, seat)
        if held.adjustments.count("first_dealer") > ("first_dealer" in able):
            first = messages.seat(dealer(state, 1))
            sentence = text("The first dealer's bonus is for %(seat)s in deal 1, once.", seat=first)
            yield Illegal(sentence, "S6", fields)
        deals = [name for name in held.adjustments if name in DEALERS]
        if not {*deals} <= {*able}:
            dealt = messages.seat_first(dealer(state, number))
            yield Illegal(
                text("The dealer of deal %(round)s was %(seat)s.", seat=dealt, round=number), "S5", fields
            )
        if len({*deals}) > 1 or deals.count("exact_deal") > 1:
            yield Illegal("A deal is exact once, or it is a misdeal.", "S33", fields)


def names_for(state: State, number: int, seat: int) -> tuple[Called, ...]:
    """Return the adjustments that a seat can have in a round; those of the deal are the dealer's (S5, S6)."""
    dealt = DEALERS if seat == dealer(state, number) else ()
    bonus = ("first_dealer",) if dealt and number == 1 else ()
    return tuple(name for name in NAMES if name not in OF_THE_DEAL or name in (*dealt, *bonus))


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
