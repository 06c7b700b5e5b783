"""Who sits where at a table: seats, the first above all, rotate as evenly as they can."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from games.engine.chance import Chance
from league.core.drawing.history import History

FIRST: Final = 3
"""How much more the first seat weighs than any other."""


def in_seats(table: Sequence[str], history: History, chance: Chance) -> tuple[str, ...]:
    """Return a table's entries in seat order: by lot, then exchanged as long as seats become more even."""
    order = list(chance.shuffled(f"seats {min(table)}", sorted(table)))
    moved = True
    while moved:
        moved = False
        for one, other in combinations(range(len(order)), 2):
            stay = _cost(history, order[one], one) + _cost(history, order[other], other)
            move = _cost(history, order[one], other) + _cost(history, order[other], one)
            if move < stay:
                order[one], order[other] = order[other], order[one]
                moved = True
    return tuple(order)


def _cost(history: History, entry: str, seat: int) -> int:
    return history.seats[entry, seat] * (FIRST if seat == 0 else 1)
