"""Rounds and the order of turns: the deal, the next turn, and the end of a round (B1 to B7, B14)."""

from functools import cache
from typing import Final

from games.engine.base import replaced
from games.engine.chance import Amount, Below, Chance, Draw, Shuffle
from games.engine.values import replace
from games.rules.scram.cards import COPIES, FACES, pack, total
from games.rules.scram.moves import Options
from games.rules.scram.scoring import adjustments, next_start, round_scores
from games.rules.scram.state import Ended, Game, Row, State
from games.rules.scram.table import NOTHING, Campsite, Lying, Table

FACE_DOWN = 3
FACE_DOWN_SOLO = 6
FACE_UP = 2
DRAWS: Final[tuple[Draw, ...]] = (
    Below("first-seat", Amount(by_seats={4: 4, 6: 6})),
    Shuffle(
        "round/#/deal",
        FACES,
        each=Amount(by_seats=COPIES),
        hands=(
            Amount(by_seats={3: FACE_DOWN_SOLO + FACE_UP, **dict.fromkeys((4, 6), FACE_DOWN + FACE_UP)}),
            FACE_DOWN + FACE_UP,
        ),
        places=True,
    ),
)
"""What is drawn by chance (B1, B3, B5)."""


def opened(options: Options, seats: int, chance: Chance) -> State:
    """Return the game after the first deal; the starting seat is drawn by chance, or is the solo (B5)."""
    start = 0 if seats == 3 else chance.below("first-seat", seats)
    return _dealt(Game(options, seats, chance), (), start, turn_number=0)


def _dealt(game: Game, rows: tuple[Row, ...], start: int, turn_number: int) -> State:
    faces = game.chance.shuffled(f"round/{len(rows) + 1}/deal", pack(game.seats))
    table, order, nothing = dealt_table(faces, game.seats), turn_order(start, game.seats), (0,) * game.seats
    return _begun(State(game, rows, start, order, nothing, turn_number, nothing, table), order, table)


def dealt_table(faces: tuple[str, ...], seats: int) -> Table:
    """Return the table after the deal (B3): campsite by campsite from seat 0, then one card turned up."""
    campsites = _dealt_campsites(seats)
    first = sum(map(len, campsites))
    deck = tuple(range(first + 1, len(faces)))
    return Table(faces, campsites, deck, (first,), (NOTHING,) * seats)


@cache
def _dealt_campsites(seats: int) -> tuple[Campsite, ...]:
    campsites, first = list[Campsite](), 0
    for seat in range(seats):
        down = FACE_DOWN_SOLO if (seats, seat) == (3, 0) else FACE_DOWN
        campsites.append(tuple(Lying(first + index, index >= down) for index in range(down + FACE_UP)))
        first += down + FACE_UP
    return tuple(campsites)


def turn_order(start: int, seats: int) -> tuple[int, ...]:
    """Return one cycle of turns (B6): clockwise; with 3 campers the solo after each of the duo."""
    if seats == 3:
        return {0: (0, 1, 0, 2), 1: (1, 0, 2, 0), 2: (2, 0, 1, 0)}[start]
    return tuple((start + step) % seats for step in range(seats))


def last_turns(scram: int, seats: int) -> tuple[int, ...]:
    """Return the seats with a last turn after Scram, in order (B14)."""
    if seats == 3 and scram > 0:
        return (0, 3 - scram, 0)
    return tuple((scram + step) % seats for step in range(1, seats))


def turn_ended(state: State, table: Table) -> State:
    """Return the state after a turn that left this table: the next one has begun, or the round has ended."""
    passed = state.order[1:] if state.scram is not None else (*state.order[1:], state.seat)
    why = _ending(state, table, passed)
    if why is None:
        return _begun(state, passed, table)
    return _round_ended(replace(state, order=passed, acting=None, table=table), why)


def scrammed(state: State) -> State:
    """Return the state after the seat in play declared Scram; last turns follow (B14)."""
    seat = state.seat
    # `turn_ended` drops the first seat of the order, here the one that declared.
    declared = replace(state, scram=seat, order=(seat, *last_turns(seat, state.game.seats)))
    return turn_ended(declared, state.table)


def _ending(state: State, table: Table, order: tuple[int, ...]) -> Ended | None:
    """Return why the round ends before another turn (B7, B14), or None."""
    if not order:
        return "last_turns"
    if not table.deck:
        return "deck"
    return "turn_limit" if state.turns[order[0]] == state.game.options.turn_limit else None


def _begun(state: State, order: tuple[int, ...], table: Table) -> State:
    turns, number = replaced(state.turns, order[0], state.turns[order[0]] + 1), state.turn_number + 1
    return replace(state, order=order, acting=None, turns=turns, turn_number=number, table=table)


def _round_ended(state: State, why: Ended) -> State:
    row = _scored(state, why)
    rows, nothing = (*state.rows, row), (0,) * state.game.seats
    over = replace(state, rows=rows, order=(), penalties=nothing, table=_revealed(state.table), ended=None)
    if len(rows) == state.game.rounds:
        return replace(over, ended=over)
    return replace(_dealt(state.game, rows, next_start(row), state.turn_number), ended=over)


def _scored(state: State, why: Ended) -> Row:
    table = state.table
    campsites = tuple(tuple(map(table.face, campsite)) for campsite in table.campsites)
    sums = tuple(map(total, campsites))
    scores = round_scores(sums, state.scram, state.penalties)
    adjusted = adjustments(sums, state.scram)
    return Row(state.start, state.scram, why, sums, state.penalties, scores, campsites, adjusted)


def _revealed(table: Table) -> Table:
    """Return the table with all campsites face up, at the end of a round (B15)."""
    open_rows = tuple(tuple(Lying(lying.card, up=True) for lying in campsite) for campsite in table.campsites)
    return replace(table, campsites=open_rows)
