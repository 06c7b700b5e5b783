"""Who sits where at a table: places, the first above all, go round as evenly as they can."""

from collections.abc import Sequence
from itertools import combinations

from games.engine.chance import Chance
from league.formats.history import History

FIRST = 3
"""Beginning weighs more than any other place at the table."""


def in_seats(table: Sequence[str], remembered: History, chance: Chance) -> tuple[str, ...]:
    """Return a table's entries in seat order: by lot, then exchanged while that evens places out."""
    order = list(chance.shuffled(f"seats {min(table)}", sorted(table)))
    moved = True
    while moved:
        moved = False
        for one, other in combinations(range(len(order)), 2):
            stay = _cost(remembered, order[one], one) + _cost(remembered, order[other], other)
            move = _cost(remembered, order[one], other) + _cost(remembered, order[other], one)
            if move < stay:
                order[one], order[other] = order[other], order[one]
                moved = True
    return tuple(order)


def _cost(remembered: History, entry: str, place: int) -> int:
    return remembered.sat[entry, place] * (FIRST if place == 0 else 1)
