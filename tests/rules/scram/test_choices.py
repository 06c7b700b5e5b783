"""Every type of move that would be accepted is among the choices, at every size."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from games.engine.chance import Chance
from games.engine.refusals import Illegal
from games.rules.scram.moves import Act, At, Discard, Draw, Exchange, Move, Replace, Scram, Target, Top
from games.rules.scram.state import State
from tests.rules.randomplay import some_move
from tests.rules.scram.notation import SCRAM


def tried(state: State) -> Iterator[Move]:
    """Yield moves of all types, all with which a type could be accepted in this state."""
    yield from (Draw("deck"), Draw("discard"), Discard(), Scram(), Exchange(do=False), Exchange(do=True))
    table = state.table
    places = [At(seat, index) for seat, row in enumerate(table.campsites) for index in range(len(row))]
    tops = [Top(depth) for depth in range(min(4, len(table.deck)))]
    targets: list[Target] = [*places, *tops]
    yield from (Replace((at,)) for at in places if at.seat == state.seat)
    yield from (Act((target,)) for target in targets)
    yield from (Act(pair) for pair in combinations(targets, 2))
    for seat, row in enumerate(table.campsites):
        yield Act(seat=seat, end="left")
        yield Act(seat=seat, cards=tuple(range(min(2, len(row)))), end="left")


def accepted(state: State) -> set[str]:
    """Return the types of which some move is accepted."""
    kinds: set[str] = set()
    for move in tried(state):
        kind = str(SCRAM.write_move(move)["type"])
        if kind not in kinds and is_legal(state, move):
            kinds.add(kind)
    return kinds


def is_legal(state: State, move: Any) -> bool:
    try:
        SCRAM.step(state, state.seat, move)
    except Illegal:
        return False
    return True


@pytest.mark.parametrize("seats", [pytest.param(seats, id=f"B9-{seats}") for seats in (3, 4, 6)])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_type_that_would_be_accepted_is_listed_and_no_other(seats: int, seed: int) -> None:
    dice = random.Random(seed)
    state = SCRAM.start(SCRAM.read_options({"rounds": 1}, seats), seats, Chance(seed.to_bytes(32, "big")))
    while not SCRAM.is_over(state):
        choices = SCRAM.choices(state, state.seat)
        assert {choice.type for choice in choices} == accepted(state)
        state = SCRAM.step(state, state.seat, SCRAM.read_move(some_move(dice.choice(choices), dice)))
