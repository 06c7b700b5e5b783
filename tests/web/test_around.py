"""Where seats sit around a table."""

import pytest

from league.web.seats import places


@pytest.mark.parametrize(
    ("seats", "around"),
    [
        (2, "near far-1-1"),
        (3, "near left-1-1 right-1-1"),
        (4, "near left-1-1 far-1-1 right-1-1"),
        (6, "near left-2-2 left-1-2 far-1-1 right-1-2 right-2-2"),
        (9, "near left-3-3 left-2-3 left-1-3 far-1-2 far-2-2 right-1-3 right-2-3 right-3-3"),
    ],
)
def test_turns_go_clockwise_from_the_near_edge(seats: int, around: str) -> None:
    assert " ".join(places(seats, 0)) == around


@pytest.mark.parametrize("seats", range(2, 11))
def test_ones_own_seat_is_near_and_no_place_is_taken_twice(seats: int) -> None:
    for own in range(seats):
        found = places(seats, own)
        assert found[own] == "near" and len({*found}) == seats
        assert found[own:] + found[:own] == places(seats, 0)
