"""The stored schedules: each is whole, and does what it is stored for."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations

from league.core.drawing.designs import DesignRound
from league.core.drawing.schedule import ALL_MEET, NONE_TWICE


def met(rounds: Iterable[DesignRound]) -> Counter[tuple[int, int]]:
    return Counter(
        (one, other) for each in rounds for table in each for one, other in combinations(sorted(table), 2)
    )


def test_nobody_has_two_seats_and_the_tables_have_their_sizes() -> None:
    for (entries, sizes), schedule in chain(ALL_MEET.items(), NONE_TWICE.items()):
        for each in schedule:
            seated = [entry for table in each for entry in table]
            assert len({*seated}) == len(seated) and {*seated} <= {*range(entries)}, (entries, sizes)
            assert sorted(map(len, each), reverse=True) == list(sizes), (entries, sizes)


def test_all_meet() -> None:
    pairs = {field: len([*combinations(range(field[0]), 2)]) for field in ALL_MEET}
    assert {field: len(met(schedule)) for field, schedule in ALL_MEET.items()} == pairs


def test_no_two_meet_twice() -> None:
    assert {field for field, schedule in NONE_TWICE.items() if max(met(schedule).values()) > 1} == set()
