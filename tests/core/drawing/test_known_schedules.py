"""The stored schedules: each is whole, and does what it is stored for."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations

import pytest

from league.core.drawing.schedule import ALL_MEET, NONE_TWICE, Field
from league.core.drawing.whist import WHIST


def met(rounds: Iterable[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    return Counter(
        (one, other) for each in rounds for table in each for one, other in combinations(sorted(table), 2)
    )


def test_nobody_has_two_seats_and_the_tables_have_their_sizes() -> None:
    for (entries, sizes), schedule in chain(ALL_MEET.items(), NONE_TWICE.items(), WHIST.items()):
        for each in schedule:
            seated = [entry for table in each for entry in table]
            assert len({*seated}) == len(seated) and {*seated} <= {*range(entries)}, (entries, sizes)
            assert sorted(map(len, each), reverse=True) == list(sizes), (entries, sizes)


def test_all_meet() -> None:
    pairs = {field: len([*combinations(range(field[0]), 2)]) for field in ALL_MEET}
    assert {field: len(met(schedule)) for field, schedule in ALL_MEET.items()} == pairs


def test_no_two_meet_twice() -> None:
    assert {field for field, schedule in NONE_TWICE.items() if max(met(schedule).values()) > 1} == set()


@pytest.mark.parametrize("field", WHIST)
def test_in_a_whist_tournament_all_are_partners_once_and_opponents_twice(field: Field) -> None:
    schedule, pairs = WHIST[field], [*combinations(range(field[0]), 2)]
    partners = met([[table[::2], table[1::2]] for each in schedule for table in each])
    assert partners == Counter(pairs)
    assert met(schedule) - partners == Counter(2 * pairs)
