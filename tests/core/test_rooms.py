"""Rooms and table numbers: one function of a table's position, which changes nobody's opponents."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.refusals import Illegal
from league.core import formats, sizes
from league.core.events import apply, read, write
from league.core.state.competition import Competition, Round
from league.core.state.rooms import NO_ROOMS, Room, Rooms, overlapping
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.rooms import RoomsSet, SetRooms
from league.core.verbs.rounds import WithdrawRound
from league.core.verbs.wishes import FixTable
from league.core.verifier import verdict
from tests.core import deciding as commands
from tests.core.crosstable import after, opening, plan, started
from tests.core.deciding import decide
from tests.core.formats.played import competition, drawn, finished_round, last_round, planned, stage_of
from tests.core.formats.played import sizes as sizes_of
from tests.core.ids import uid

BAR, HALL = Room("Bar", 1, 4), Room("Hall", 5, 12)


def said(state: Competition, verb: Verb) -> Competition:
    """The state after a verb, each event read as it is written, and made again by the verifier."""
    for event in decide(state, verb):
        assert verdict(state, read(write(event))) in (None, "given")
        state = apply(state, event)
    return state


def in_rooms(state: Competition, *rooms: Room, without: tuple[int, ...] = ()) -> Competition:
    return said(state, SetRooms(rooms, without))


def places(each: Round) -> list[tuple[int, str]]:
    return [(number, each.rooms.room_of(number)) for number in each.numbers]


# ---- The function --------------------------------------------------------------------------------


@st.composite
def some_rooms(draw: st.DrawFn) -> Rooms:
    edges = sorted(draw(st.sets(st.integers(1, 40), max_size=6)))
    pairs = zip(edges[::2], edges[1::2], strict=False)
    rooms = tuple(Room(f"Room {first}", first, last) for first, last in pairs)
    return Rooms(rooms, tuple(sorted(draw(st.sets(st.integers(1, 40), max_size=5)))))


@settings(max_examples=300, deadline=None)
@given(some_rooms(), st.integers(0, 60))
def test_numbers_rise_are_never_left_out_and_tell_their_position(rooms: Rooms, tables: int) -> None:
    assert not overlapping(rooms.rooms)
    numbers = rooms.numbers(tables)
    assert len(numbers) == tables and [*numbers] == sorted({*numbers})
    assert not {*numbers} & {*rooms.without}
    assert [rooms.position(number) for number in numbers] == [*range(1, tables + 1)]
    assert rooms.numbers(tables + 3)[:tables] == numbers
    inside = [number for number in numbers if rooms.room_of(number)]
    assert len(inside) == min(tables, rooms.tables)
    assert [*numbers[: len(inside)]] == inside


@settings(max_examples=100, deadline=None)
@given(some_rooms(), st.integers(1, 60))
def test_a_number_that_no_table_has_is_at_no_position(rooms: Rooms, number: int) -> None:
    at = rooms.position(number)
    assert (number in rooms.numbers(number)) == bool(at)
    assert not at or rooms.numbers(at)[-1] == number


def test_without_rooms_tables_are_numbered_from_1() -> None:
    assert NO_ROOMS.numbers(3) == (1, 2, 3)
    assert [NO_ROOMS.position(number) for number in (1, 7)] == [1, 7]
    assert Rooms(without=(2, 13)).numbers(4) == (1, 3, 4, 5)


# ---- Rounds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [key for key in formats.BY_KEY if not formats.BY_KEY[key].open_tables])
def test_the_draw_of_every_format_is_the_same_in_rooms(key: str) -> None:
    state = competition(9, planned(key, 2))
    there = in_rooms(state, Room("Bar", 1, 2), HALL, without=(6,))
    plain, roomed = drawn(state), drawn(there)
    # The secret value is the same, and the cut-off too: only numbers and rooms differ.
    assert [table.entries for table in last_round(roomed).tables] == [
        table.entries for table in last_round(plain).tables
    ]
    count = len(last_round(plain).tables)
    assert (
        places(last_round(roomed)) == [(1, "Bar"), (2, "Bar"), (5, "Hall"), (7, "Hall"), (8, "Hall")][:count]
    )


def test_published_rounds_keep_their_rooms_and_a_drawn_one_follows() -> None:
    state = finished_round(drawn(in_rooms(competition(8, plan()), Room("Bar", 3, 4))))
    state = drawn(state)
    state = in_rooms(state, Room("Hall", 7, 9), without=(8,))
    first, second = stage_of(state).rounds
    assert places(first) == [(3, "Bar"), (4, "Bar")]
    assert places(second) == [(7, "Hall"), (9, "Hall")]
    assert places(last_round(in_rooms(state))) == [(1, ""), (2, "")]


def test_a_withdrawn_round_is_drawn_for_the_rooms_of_now() -> None:
    state = drawn(in_rooms(competition(8, plan()), BAR))
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    state = after(state, *commands.publish(state, games=games))
    state = said(state, WithdrawRound("the bar is closed"))
    state = drawn(in_rooms(state, HALL))
    assert places(state.withdrawn[0]) == [(1, "Bar"), (2, "Bar")]
    assert places(last_round(state)) == [(5, "Hall"), (6, "Hall")]


def test_tables_beyond_the_rooms_follow_without_a_room() -> None:
    state = drawn(in_rooms(competition(12, plan(), seats=(4,)), Room("Bar", 3, 4)))
    assert places(last_round(state)) == [(3, "Bar"), (4, "Bar"), (5, "")]


def test_a_fixed_table_is_found_by_its_number_in_the_rooms() -> None:
    state = said(competition(12, plan()), FixTable(uid("P5"), 7))
    state = drawn(in_rooms(state, Room("Hall", 5, 9), without=(6,)))
    (number,) = [n for n, table in last_round(state).numbered if uid("P5") in table.entries]
    assert number == 7
    assert last_round(state).report["tables"] == [1, 0]
    # In other rooms there is no such table, and in others again it is another position.
    assert last_round(in_rooms(state, BAR)).report["tables"] == [0, 1]
    moved = last_round(in_rooms(state, Room("Bar", 7, 9)))
    assert moved.tables[0].entries == next(
        table.entries for _, table in last_round(state).numbered if uid("P5") in table.entries
    )


def with_teams(state: Competition, team: str) -> list[int]:
    return [number for number, table in last_round(state).numbered if uid(team) in table.entries]


def test_a_match_of_teams_keeps_its_fixed_table_in_other_rooms_and_when_others_leave() -> None:
    teams = " ".join(f"T{n}:a{n},b{n}" for n in range(8))
    state = started(teams, plan(format="swiss", table_size=2), lineup="boards", team_size=2, seats=(2,))
    state = drawn(said(state, FixTable(uid("T5"), 5)))
    assert with_teams(state, "T5") == [5, 6]
    elsewhere = in_rooms(state, Room("Hall", 3, 12))
    assert with_teams(elsewhere, "T5") == [5, 6]
    assert last_round(elsewhere).report["tables"] == [1, 0]
    first = last_round(elsewhere).tables[0].entries[0]
    fewer = after(elsewhere, *commands.withdraw(elsewhere, entry=first))
    assert with_teams(fewer, "T5") == [5, 6]
    found = last_round(fewer).tables
    assert [table.board for table in found] == [1, 2] * (len(found) // 2)
    assert [{*one.entries} for one in found[::2]] == [{*other.entries} for other in found[1::2]]


def test_a_draw_with_a_fixed_table_depends_on_the_rooms_in_the_log() -> None:
    state = said(competition(12, plan()), FixTable(uid("P5"), 3))
    roomed = in_rooms(state, Room("Hall", 3, 9))
    made, draw = decide(roomed, DrawRound())
    assert verdict(apply(roomed, made), draw) == "given"
    elsewhere = in_rooms(state, Room("Hall", 1, 9))
    assert verdict(apply(elsewhere, made), draw) == "different"


def notes(state: Competition) -> set[str]:
    names = {entry.id: entry.name for entry in state.entries}
    brackets = formats.of(stage_of(state).plan).brackets(state, stage_of(state), names)
    slots = [slot for each in brackets for column in each.columns for m in column.matches for slot in m.slots]
    return {str(slot.note) for slot in slots if "table" in str(slot.note)}


@pytest.mark.parametrize("key", ["knockout", "double_elimination"])
def test_pictures_name_tables_by_their_numbers(key: str) -> None:
    state = drawn(in_rooms(competition(8, planned(key, 0, 2)), Room("Hall", 5, 12), without=(6,)))
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    told = notes(after(state, *commands.publish(state, games=games)))
    assert {f"winner of table {number}" for number in (5, 7, 8, 9)} <= told
    assert not any(f"table {number}" in each for each in told for number in (1, 2, 3, 4, 6))


# ---- As many tables as there are -----------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=4), st.integers(1, 30))
def test_groups_fit_into_the_rooms_or_stay_as_planned(counts: list[int], tables: int) -> None:
    state = opening(seats=(3, 4, 5, 6))
    found = sizes.fitted(counts, state, plan(), tables)
    usual = sizes.fitted(counts, state, plan(), 1000)
    needed = sum(map(len, found))
    assert needed <= tables or found == usual
    assert found == usual or sum(map(len, usual)) > tables
    assert [sum(each) for each in found] >= [sum(each) for each in usual]


def test_the_next_draw_makes_as_many_tables_as_the_rooms_have() -> None:
    state = in_rooms(competition(23, plan(), seats=(3, 4, 5, 6)), Room("", 1, 5))
    told = [str(each.sentence) for each in DrawRound.cautions(state)]
    assert "As many tables as the rooms have: 5 tables: 3 × 5 and 2 × 4." in told
    state = said(state, DrawRound())
    assert sizes_of(last_round(state)) == [5, 5, 5, 4, 4]
    again = said(state, DrawRound("six tables fit after all", sizes=((4, 4, 4, 4, 4, 3),)))
    assert sizes_of(last_round(again)) == [4, 4, 4, 4, 4, 3]


@pytest.mark.parametrize("more", [{}, {"table_size": 2, "format": "swiss"}], ids=["seats", "duels"])
def test_where_no_larger_tables_help_it_is_said(more: dict[str, Any]) -> None:
    state = in_rooms(competition(24, plan(**more), seats=(2, 3, 4)), Room("", 1, 5))
    told = [str(each.sentence) for each in DrawRound.cautions(state)]
    assert any("The rooms have 5 tables, and this round needs" in each for each in told)
    assert sizes_of(last_round(drawn(state)))[0] == more.get("table_size", 4)


# ---- Refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (RoomsSet((BAR, Room("Hall", 4, 9))), "in the order of their tables"),
        (RoomsSet((HALL, BAR)), "in the order of their tables"),
        (RoomsSet((Room("Bar", 4, 3),)), "in the order of their tables"),
        (RoomsSet((Room("Bar", 1, 2),), (1, 2)), "no table left"),
        (RoomsSet((BAR,), (3, 2)), "the lowest first"),
        (RoomsSet((BAR,), (3, 3)), "the lowest first"),
    ],
)
def test_rooms_that_contradict_themselves_are_in_no_log(event: RoomsSet, sentence: str) -> None:
    with pytest.raises(Illegal, match=sentence):
        apply(competition(8, plan()), event)


def test_a_verb_brings_rooms_into_order() -> None:
    (event,) = decide(competition(8, plan()), SetRooms((HALL, BAR), (13, 5, 13)))
    assert event == RoomsSet((BAR, HALL), (5, 13))
    assert write(event) == {
        "type": "rooms_set",
        "rooms": [{"name": "Bar", "last": 4}, {"name": "Hall", "first": 5, "last": 12}],
        "without": [5, 13],
    }
