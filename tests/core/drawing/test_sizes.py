"""Table sizes: those that the game allows, nearest to the plan, and as few byes as possible."""

import pytest

from league.core.drawing.draw import entry_sizes, stage_sizes, table_sizes
from tests.core.crosstable import opening, plan

ANY = tuple(range(2, 11))


@pytest.mark.parametrize(
    ("count", "allowed", "preferred", "expected"),
    [
        (8, ANY, 4, (4, 4)),
        (9, ANY, 4, (5, 4)),
        (10, ANY, 4, (4, 3, 3)),
        (11, ANY, 4, (4, 4, 3)),
        (7, ANY, 4, (4, 3)),
        (6, ANY, 4, (3, 3)),
        (5, ANY, 4, (5,)),
        (3, ANY, 4, (3,)),
        (2, ANY, 4, (2,)),
        (7, (4,), 4, (4,)),
        (9, (3, 4, 6), 4, (3, 3, 3)),
        (5, (3, 4, 6), 4, (4,)),
        (11, (3, 4, 6), 4, (4, 4, 3)),
        (7, (2,), 2, (2, 2, 2)),
        (1, ANY, 4, ()),
        (2, (3, 4), 4, ()),
    ],
)
def test_table_sizes_are_the_nearest_to_the_planned_size(
    count: int, allowed: tuple[int, ...], preferred: int, expected: tuple[int, ...]
) -> None:
    assert table_sizes(count, allowed, preferred) == expected


def test_partners_take_two_seats_each() -> None:
    assert entry_sizes(opening(seats=(3, 4, 6), lineup="partners", team_size=2)) == (2, 3)


def test_a_stage_of_duels_has_only_tables_of_two() -> None:
    assert stage_sizes(opening(), plan(table_size=2)) == (2,)
    assert stage_sizes(opening(seats=(3, 4)), plan(table_size=2)) == (3, 4)
