"""A format says which tables its next round has, before it is drawn; rooms and wishes are counted by that."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core import sizes
from league.core.course import next_step, too_few_present
from league.core.state.competition import Competition
from league.core.state.rooms import Room
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import Absent
from league.core.verbs.rooms import SetRooms
from league.core.verbs.start import StartCompetition
from league.core.verbs.wishes import FixTable
from tests.core.crosstable import after, entered, plan, started
from tests.core.deciding import decide
from tests.core.formats.played import competition, drawn, finished_round, last_round, names, stage_of
from tests.core.formats.test_draws import EXAMPLES
from tests.core.formats.test_lines import OTHER, TIED, ends, heat, level
from tests.core.formats.test_placing_bracket import cup, played
from tests.core.ids import uid

PLANS: dict[str, dict[str, Any]] = {
    "rounds": {},
    "pairs": {"format": "swiss", "table_size": 2},
    "swiss": {"format": "swiss"},
    "schedule": {"format": "round_robin"},
    "heats": {"format": "knockout", "rounds": 0},
    "bracket": {"format": "knockout", "rounds": 0, "table_size": 2},
    "places": {"format": "knockout", "rounds": 0, "table_size": 2, "params": {"placing": 8}},
    "consolation": {"format": "knockout", "rounds": 0, "table_size": 2, "params": {"consolation": True}},
    "double": {"format": "double_elimination", "rounds": 0, "table_size": 2},
}


def foreseen(state: Competition) -> list[list[int]]:
    return [[*group] for group in sizes.planned(state, stage_of(state))]


def made(state: Competition) -> list[list[int]]:
    tables, groups = last_round(state).tables, range(1, len(stage_of(state).groups) + 1)
    return [
        sorted((len(table.entries) for table in tables if table.group == group), reverse=True)
        for group in groups
    ]


@pytest.mark.parametrize("kind", PLANS)
@given(count=st.integers(4, 23), groups=st.integers(1, 2), data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_each_draw_has_the_tables_that_its_format_foresaw(
    kind: str, count: int, groups: int, data: st.DataObject
) -> None:
    state = competition(count, plan(groups=groups, **PLANS[kind]), seats=(2, 3, 4, 5))
    while next_step(state) == "draw":
        number = state.next_round
        here = [entry for entry in state.entries if entry.plays((1, number))]
        for entry in data.draw(st.lists(st.sampled_from(here), max_size=2, unique_by=lambda each: each.id)):
            away = after(state, Absent(entry.id, number))
            state = state if too_few_present(away) else away
        told = foreseen(state)
        state = drawn(state)
        assert made(state) == told
        state = finished_round(state)


def in_rooms(state: Competition, tables: int) -> Competition:
    return after(state, *decide(state, SetRooms((Room("Hall", 1, tables),))))


@pytest.mark.parametrize(
    ("state", "tables"),
    [
        (cup(names(11)), 3),
        (cup(names(9)), 1),
        (played(cup(names(8), 8), ""), 4),
        (played(cup(names(8), consolation=True), ""), 4),
    ],
    ids=["byes", "nearly all byes", "places", "consolation"],
)
def test_rooms_are_too_small_for_a_bracket_only_where_its_tables_are_more(
    state: Competition, tables: int
) -> None:
    assert sizes.too_many(in_rooms(state, tables)) is None
    if tables > 1:
        assert f"this round needs {tables}" in str(sizes.too_many(in_rooms(state, tables - 1)))


@pytest.mark.parametrize(
    "state", [level("play_off"), ends(heat("play_off"), TIED, OTHER)], ids=["line", "heats"]
)
def test_a_play_off_needs_its_own_table_alone(state: Competition) -> None:
    told = foreseen(state)
    assert made(drawn(state)) == told
    assert sum(map(len, told)) == 1
    assert sizes.too_many(in_rooms(state, 1)) is None


def cautions(state: Competition) -> list[str]:
    return [str(each.sentence) for each in DrawRound.cautions(state)]


def fixed_at(state: Competition, table: int) -> Competition:
    return after(state, *decide(state, FixTable(uid("P0"), table)))


def test_a_fixed_table_is_missing_where_the_rooms_make_fewer() -> None:
    state = in_rooms(competition(12, plan(), seats=(3, 4, 5, 6)), 2)
    told = cautions(fixed_at(state, 3))
    assert "As many tables as the rooms have: 2 tables: 2 × 6." in told
    assert "P0 can’t sit at table 3: there are 2." in told
    assert not any("can’t sit" in each for each in cautions(fixed_at(state, 2)))


def test_a_fixed_table_without_a_number_in_the_rooms_is_told_with_theirs() -> None:
    state = after(competition(12, plan()), *decide(competition(12, plan()), SetRooms((Room("Bar", 5, 9),))))
    told = "P0 can’t sit at table 2: there are 3, numbers 5 to 7."
    assert told in cautions(fixed_at(state, 2))


def test_a_fixed_table_can_be_in_any_group() -> None:
    state = competition(16, plan(groups=2))
    assert not any("can’t sit" in each for each in cautions(fixed_at(state, 4)))
    assert "P0 can’t sit at table 5: there are 4." in cautions(fixed_at(state, 5))


def test_a_fixed_table_of_a_bracket_is_one_of_its_matches() -> None:
    assert "P0 can’t sit at table 4: there are 3." in cautions(fixed_at(cup(names(11)), 4))
    assert not any("can’t sit" in each for each in cautions(fixed_at(cup(names(11)), 3)))


def test_before_the_start_rooms_count_for_fixed_tables_too() -> None:
    state = in_rooms(entered(names(12), plan(), seats=(3, 4, 5, 6)), 2)
    told = [str(each.sentence) for each in StartCompetition.cautions(fixed_at(state, 3))]
    assert "P0 can’t sit at table 3: there are 2." in told


def test_boards_of_teams_fit_into_the_rooms() -> None:
    teams = " ".join(f"T{n}:a{n},b{n}" for n in range(12))
    state = started(teams, plan(), lineup="boards", team_size=2, seats=(3, 4, 6))
    state = in_rooms(state, 4)
    assert "As many tables as the rooms have: 2 tables: 2 × 6." in cautions(state)
    assert len(last_round(drawn(state)).tables) == 4
