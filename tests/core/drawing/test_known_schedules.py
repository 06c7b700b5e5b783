"""The stored schedules: each is whole, and does what it is stored for."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest

from league.core.drawing.base_rounds import DesignRound
from league.core.drawing.schedule import ALL_MEET, NONE_TWICE, Field


def met(rounds: Iterable[DesignRound]) -> Counter[tuple[int, int]]:
    return Counter(
        (one, other) for each in rounds for table in each for one, other in combinations(sorted(table), 2)
    )


@pytest.mark.parametrize("field", [*ALL_MEET, *NONE_TWICE], ids=str)
def test_nobody_has_two_seats_and_the_tables_have_their_sizes(field: Field) -> None:
    entries, sizes = field
    for schedule in (ALL_MEET.get(field, ()), NONE_TWICE.get(field, ())):
        for each in schedule:
            seated = [entry for table in each for entry in table]
            assert len({*seated}) == len(seated) and {*seated} <= {*range(entries)}
            assert sorted(map(len, each), reverse=True) == list(sizes)


@pytest.mark.parametrize("field", ALL_MEET, ids=str)
def test_all_meet(field: Field) -> None:
    assert len(met(ALL_MEET[field])) == len([*combinations(range(field[0]), 2)])


@pytest.mark.parametrize("field", NONE_TWICE, ids=str)
def test_no_two_meet_twice(field: Field) -> None:
    assert max(met(NONE_TWICE[field]).values()) == 1
