"""Exact round robins: every two meet equally often, and all have as many rounds and byes."""

from collections import Counter
from itertools import combinations

import pytest

from league.core.drawing.designs import BASE_ROUNDS, FIELDS, design, meetings

DUELS = [(entries, 2) for entries in range(2, 31)]
PLANES = [(order**2, order) for order in FIELDS] + [(27, 3), (64, 4), (16, 2), (81, 3)]
KNOWN = [*DUELS, *PLANES, *BASE_ROUNDS]


@pytest.mark.parametrize(("entries", "size"), KNOWN)
def test_every_two_meet_equally_often(entries: int, size: int) -> None:
    rounds = design(entries, size)
    assert rounds
    pairs = Counter(
        frozenset(pair) for one_round in rounds for block in one_round for pair in combinations(block, 2)
    )
    assert len(pairs) == entries * (entries - 1) // 2
    assert {*pairs.values()} == {meetings(rounds)}


@pytest.mark.parametrize(("entries", "size"), KNOWN)
def test_every_entry_has_one_seat_a_round_and_as_many_byes_as_the_others(entries: int, size: int) -> None:
    rounds = design(entries, size)
    assert rounds
    for one_round in rounds:
        seated = [place for block in one_round for place in block]
        assert len({*seated}) == len(seated) == entries - entries % size
        assert {len(block) for block in one_round} == {size}
    played = Counter(place for one_round in rounds for block in one_round for place in block)
    assert len({*played.values()}) == 1


# What the tables of combinatorial designs promise: rounds, and how often every two meet.
@pytest.mark.parametrize(
    ("entries", "size", "rounds", "met"),
    [
        (8, 2, 7, 1),
        (9, 2, 9, 1),
        (9, 3, 4, 1),
        (15, 3, 7, 1),
        (27, 3, 13, 1),
        (8, 4, 7, 3),
        (12, 4, 11, 3),
        (16, 4, 5, 1),
        (25, 5, 6, 1),
        (49, 7, 8, 1),
        (64, 4, 21, 1),
        (6, 3, 10, 4),
        (13, 4, 13, 3),
        (5, 5, 1, 1),
    ],
)
def test_a_schedule_has_the_least_possible_number_of_rounds(
    entries: int, size: int, rounds: int, met: int
) -> None:
    found = design(entries, size)
    assert found is not None
    assert (len(found), meetings(found)) == (rounds, met)


@pytest.mark.parametrize(("entries", "size"), [(10, 4), (11, 3), (10, 5), (7, 4)])
def test_there_is_no_design_where_none_is_known(entries: int, size: int) -> None:
    assert design(entries, size) is None
