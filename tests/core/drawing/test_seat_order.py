"""Seats at the table rotate, the first seat above all."""

from collections import Counter
from fractions import Fraction

import pytest

from games.engine.chance import Chance
from league.core.drawing.cost import History
from league.core.drawing.drawing import in_seats

LOTS = [Chance(bytes([number])) for number in range(4)]


def sat(**seats: str) -> History:
    """A history in which each name had the seats listed: `Ann="001"` was first twice and second once."""
    counts = Counter((name, int(seat)) for name, listed in seats.items() for seat in listed)
    return History({}, counts, Counter(), Counter(), dict.fromkeys(seats, Fraction(0)))


@pytest.mark.parametrize("chance", LOTS)
@pytest.mark.parametrize(
    ("history", "expected"),
    [
        (sat(Ann="0", Ben=""), ("Ben", "Ann")),
        (sat(Ann="011", Ben=""), ("Ben", "Ann")),
        (sat(Ann="12", Ben="02", Cem="01"), ("Ann", "Ben", "Cem")),
    ],
)
def test_a_seat_goes_to_the_entries_that_had_it_least_often(
    chance: Chance, history: History, expected: tuple[str, ...]
) -> None:
    assert in_seats(sorted(history.fair_share), history, chance) == expected


def test_entries_without_earlier_seats_are_seated_by_lot() -> None:
    orders = {in_seats(("Ann", "Ben", "Cem"), sat(Ann="", Ben="", Cem=""), chance) for chance in LOTS}
    assert len(orders) > 1
