"""Turning points by the scores after each entry."""

from collections.abc import Sequence

import pytest

from games.engine.turning_points import turning_points


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([], []),
        ([(0, 0), (0, 0), (0, 0)], []),
        ([(0, 0), (5, 0), (5, 0), (5, 9)], [(2, (0,), 0, 1, 5), (4, (1,), 1, 0, 9)]),
        # Level again: nobody leads, and whoever leads next takes the lead anew.
        ([(0, 0), (5, 0), (5, 5), (9, 5)], [(2, (0,), 0, 1, 5), (3, (), 1, 0, 5), (4, (0,), 0, 1, 4)]),
        # Two share the lead: that it is shared is a change too.
        ([(0, 0, 0), (5, 0, 0), (5, 5, 0)], [(2, (0,), 0, 1, 5), (3, (0, 1), 1, 0, 5)]),
        # All gain the same: no turning point.
        ([(1, 0), (4, 3)], []),
        ([(0, 0), (3, 3)], []),
    ],
)
def test_the_lead_changes(totals: Sequence[Sequence[int]], expected: Sequence[object]) -> None:
    assert [tuple(vars(each).values()) for each in turning_points(totals, low_wins=False)] == expected


def test_where_the_lowest_score_wins_whoever_gets_least_gains() -> None:
    (point,) = turning_points([(0, 0, 0), (0, 20, 35)], low_wins=True)
    assert (point.leaders, point.gainer, point.loser, point.points) == ((0,), 0, 2, 35)


def test_of_the_moves_that_change_no_lead_the_greatest_swings_count() -> None:
    totals = [(0, 0), (90, 0), (90, 4), (90, 9), (90, 10), (90, 17), (90, 24)]
    found = turning_points(totals, low_wins=False)
    assert [(each.seq, each.points) for each in found] == [(2, 90), (4, 5), (6, 7), (7, 7)]


def test_a_lead_that_a_seat_had_from_the_opening_on_changes_nothing() -> None:
    (point,) = turning_points([(-20, 0), (-20, 5)], low_wins=True)
    assert (point.leaders, point.points) == ((), 5)
