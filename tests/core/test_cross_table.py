"""The cross table shows every meeting from both sides; the final order covers all stages."""

from typing import Any

import pytest

from league.core.events import Event
from league.core.standings import ranking
from league.core.standings.cross_table import cross_tables
from league.core.state.competition import Competition
from league.core.state.plan import Intake
from league.core.verbs.adjustments import Adjusted
from league.core.verbs.presence import NoShow
from league.core.verbs.results import Forfeited
from tests.core import deciding as commands
from tests.core.crosstable import after, name_of, plan, played, started, table_at
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def shown(state: Competition) -> list[str]:
    return [
        " ".join(
            [
                name_of(state, row.entry),
                *("x" if cell is None else "".join(map(str, cell)) or "-" for cell in row.cells),
                str(row.points),
            ]
        )
        for row in cross_tables(state, 1)[0]
    ]


def test_every_meeting_is_shown_from_both_sides() -> None:
    state = started(FOUR, plan(table_size=2))
    state = played(state, "Ann > Ben; Cem > Dana", "Ann = Cem; Ben > Dana", "Ann > Ben; Cem > Dana")
    state = after(state, Adjusted(uid("Ann"), "1/2", "a present"))
    assert shown(state) == ["Ann x 1/2 11 - 3", "Cem 1/2 x - 11 5/2", "Ben 00 - x 1 1", "Dana - 00 0 x 0"]


def test_a_table_of_four_is_six_meetings() -> None:
    state = played(started(FOUR, plan()), "Ann > Ben = Cem > Dana")
    assert shown(state)[0] == "Ann x 1 1 1 3"
    assert [row.split()[-2] for row in shown(state)] == ["1", "1", "1", "x"]


@pytest.mark.parametrize("leaves", [NoShow, Forfeited])
def test_who_did_not_come_or_left_is_behind_those_who_played(leaves: type[Event]) -> None:
    state = played(started("Ann Ben", plan(table_size=2, rounds=2)), "Ann > Ben")
    gone = {"table": table_at(state, "Ann").id, "entry": uid("Ben"), "reason": "late"}
    assert shown(after(state, leaves(**gone))) == ["Ann x 1 1", "Ben 0 x 0"]


def test_each_group_has_a_table_of_its_own() -> None:
    groups = plan(rounds=1, table_size=2, groups=2, intake=Intake(seeding="order"))
    state = played(started(FOUR, groups), "Ann > Dana; Cem > Ben")
    assert [[row.name for row in table] for table in cross_tables(state, 1)] == [
        ["Ann", "Dana"],
        ["Cem", "Ben"],
    ]


def test_qualified_entries_come_before_the_others() -> None:
    first = plan(rounds=1, table_size=2)
    final = plan(rounds=1, table_size=2, intake=Intake("best", best=2))
    state = played(started(FOUR, first, final), "Ann > Ben; Cem > Dana")
    state = after(state, *commands.start_stage(state))
    state = played(state, "Cem > Ann")
    assert [name_of(state, entry) for entry in ranking.final_order(state)][:2] == ["Cem", "Ann"]


# By seed: Ann and Ben in the first division; spread to and fro: Ann with Dana, Ben with Cem.
@pytest.mark.parametrize(
    ("divide", "first", "second", "expected"),
    [
        ("stack", "Ann > Ben", "Cem > Dana", "Ann Ben Cem Dana"),
        ("spread", "Ann > Dana", "Cem > Ben", "Ann Cem Dana Ben"),
    ],
)
def test_divisions_stay_in_order_and_groups_are_merged(
    divide: Any, first: str, second: str, expected: str
) -> None:
    groups = plan(rounds=1, table_size=2, groups=2, intake=Intake(seeding="order", divide=divide))
    state = played(started(FOUR, groups), f"{first}; {second}")
    assert " ".join(name_of(state, entry) for entry in ranking.final_order(state)) == expected
