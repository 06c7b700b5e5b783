"""Places at the table go round, the first above all."""

from collections import Counter
from fractions import Fraction

import pytest

from games.engine.chance import Chance
from league.formats.history import History
from league.formats.seats import in_seats

LOTS = [Chance(bytes([number])) for number in range(4)]


def sat(**places: str) -> History:
    """A history in which each name has had the places listed: `Ann="001"` began twice and sat second once."""
    counts = Counter((name, int(place)) for name, listed in places.items() for place in listed)
    begun = Counter({name: listed.count("0") for name, listed in places.items()})
    return History({}, counts, Counter(), Counter(), begun, dict.fromkeys(places, Fraction(0)))


@pytest.mark.parametrize("chance", LOTS)
@pytest.mark.parametrize(
    ("history", "expected"),
    [
        (sat(Ann="0", Ben=""), ("Ben", "Ann")),
        (sat(Ann="011", Ben=""), ("Ben", "Ann")),
        (sat(Ann="12", Ben="02", Cem="01"), ("Ann", "Ben", "Cem")),
    ],
)
def test_who_has_had_a_place_leaves_it_to_others(
    chance: Chance, history: History, expected: tuple[str, ...]
) -> None:
    assert in_seats(sorted(history.begun), history, chance) == expected


def test_lots_seat_those_who_have_never_sat() -> None:
    orders = {in_seats(("Ann", "Ben", "Cem"), sat(Ann="", Ben="", Cem=""), chance) for chance in LOTS}
    assert len(orders) > 1
