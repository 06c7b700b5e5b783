"""The beginning and end of rounds and turns (C1 to C4, C11 to C13, C18, C19)."""

from collections.abc import Sequence
from typing import Final

from games.engine.cards import Card, pack
from games.engine.chance import Amount, Below, Chance, Dice, Draw, Shuffle
from games.engine.values import replace
from games.rules.scoops.moves import MOST_SEATS, Options
from games.rules.scoops.state import IN_ORDER, Ending, Round, Row, State

SEATS: Final = range(2, MOST_SEATS + 1)
HAND: Final = 8
DICE: Final = 4
SEATS_A_PACK: Final = 3


def opened(options: Options, seats: int, chance: Chance) -> State:
    """Return the state after the first deal; the starting seat is drawn by chance (C2)."""
    first = chance.below("first-seat", seats)
    return State(options, chance, first, dealt(chance, 1, first, (0,) * seats))


def full_deck(seats: int) -> tuple[Card, ...]:
    """Return the packs for this number of seats, unshuffled (C1)."""
    return pack() * packs_for(seats)


def packs_for(seats: int) -> int:
    """Return the number of packs for this number of seats (C1)."""
    return -(-seats // SEATS_A_PACK)


def dealt(chance: Chance, number: int, first: int, scores: Sequence[int]) -> Round:
    """Return a new round, dealt and rolled, in which a seat must assign the dice or draw (C1 to C4)."""
    seats = len(scores)
    cards = chance.shuffled(f"round/{number}/deal", full_deck(seats))
    hands = tuple(cards[seat * HAND : (seat + 1) * HAND] for seat in range(seats))
    start = (first + number - 1) % seats
    assigner = lowest_alone(scores)
    return Round(
        number=number,
        start=start,
        dice=chance.dice(f"round/{number}/dice", DICE),
        assigned=IN_ORDER if assigner is None else None,
        hands=hands,
        deck=cards[: seats * HAND - 1 : -1],
        discards=((),) * seats,
        phase="draw" if assigner is None else "assign",
        seat=start if assigner is None else assigner,
        turn=1 if assigner is None else 0,
        penalties=(0,) * seats,
    )


DRAWS: Final[tuple[Draw, ...]] = (
    Below("first-seat", Amount(by_seats={seats: seats for seats in SEATS})),
    Shuffle(
        "round/#/deal", pack(), Amount(by_seats={seats: packs_for(seats) for seats in SEATS}), hands=(HAND,)
    ),
    Dice("round/#/dice", DICE),
)
"""What is drawn by chance (C1 to C3)."""


def lowest_alone(scores: Sequence[int]) -> int | None:
    """Return the seat with the lowest score, or None if several share it (C4)."""
    lowest = min(scores)
    return scores.index(lowest) if scores.count(lowest) == 1 else None


def next_turn(state: State, table: Round) -> State:
    """Return the state with this round after the next turn has begun, or the round has ended."""
    seat = table.start if table.turn == 0 else (table.seat + 1) % table.seats
    if seat == table.knocker:
        return _counted(replace(state, round=table))
    if not table.deck:
        return ended(replace(state, round=table), "deck", None)
    if table.turn == state.options.turn_limit * table.seats:
        return ended(replace(state, round=table), "turns", None)
    begun = replace(table, phase="draw", seat=seat, turn=table.turn + 1, taken=None)
    return replace(state, round=begun)


def _counted(state: State) -> State:
    """Return the state after Coffee: the lowest count of the seats still in the game wins (C18).

    A tie goes to the knocker, else to the first seat clockwise from it, even if the knocker has left.
    """
    table, knocker = state.round, state.round.knocker
    assert knocker is not None
    counts = {seat: _count(table, seat) for seat in range(table.seats) if seat not in state.out}
    winner = min(counts, key=lambda seat: (counts[seat], (seat - knocker) % table.seats))
    return ended(state, "count", winner, tuple(map(counts.get, range(table.seats))))


def _count(table: Round, seat: int) -> int:
    return sum(map(table.contract.worth, table.hands[seat]))


def ended(
    state: State, ending: Ending, winner: int | None, counts: tuple[int | None, ...] | None = None
) -> State:
    """Return the state after the round is scored, and the next one dealt unless the game is over."""
    row = _row(state.round, ending, winner, counts)
    table = replace(state.round, phase="over", penalties=(0,) * state.round.seats)
    scored = replace(state, rows=(*state.rows, row), round=table, ended=None)
    scores = scored.totals()
    if max(scores) >= state.options.target or row.number == state.options.round_limit:
        return replace(scored, ended=scored)
    following = dealt(state.chance, row.number + 1, state.first, scores)
    return replace(scored, round=following, ended=scored)


def _row(table: Round, ending: Ending, winner: int | None, counts: tuple[int | None, ...] | None) -> Row:
    return Row(
        number=table.number,
        contract=table.contract,
        ending=ending,
        winner=winner,
        knocker=table.knocker,
        scores=_points(table, winner),
        penalties=table.penalties,
        counts=counts,
        melds=table.melds,
    )


def _points(table: Round, winner: int | None) -> tuple[int, ...]:
    """Return each seat's points: penalties, and for the winner 1 and the scoop bonuses (C11, C12)."""
    bonus = sum(laid.scoop for laid in table.melds if laid.seat == winner)
    return tuple(
        penalty + (1 + bonus if seat == winner else 0) for seat, penalty in enumerate(table.penalties)
    )
