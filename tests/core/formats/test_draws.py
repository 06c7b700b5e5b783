"""Properties of the draws of every format: each entry once, repeatable, and an end.

For longer: `DRAW_EXAMPLES=100 python3 manage.py test --hypothesis-profile=random tests/core/formats`.
"""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.core import formats
from league.core.course import too_few_present
from league.core.standings import ranking
from league.core.verbs.entering import Entered
from league.core.verbs.presence import Absent
from tests.core import deciding as commands
from tests.core.crosstable import after, opening, plan, seated
from tests.core.formats.played import (
    competition,
    drawn,
    finished_round,
    last_round,
    pairs,
    planned,
    played_out,
    stage_of,
)
from tests.core.ids import uid

EXAMPLES = int(os.environ.get("DRAW_EXAMPLES", "8"))
BIG = [(25, 5, 5, 0), (16, 4, 5, 1)] if EXAMPLES > 8 else []
KNOWN = [(9, 3, 4, 0), (16, 4, 5, 2), (15, 3, 7, 2), *BIG]
"""Fields, sizes, rounds and seeds of which a schedule is known; the big ones only for long."""
DRAWN = [each.key for each in formats.BY_KEY.values() if not each.open_tables]


@pytest.mark.parametrize("key", DRAWN)
@given(count=st.integers(2, 23), size=st.integers(2, 6), seed=st.integers(0, 2**32))
@settings(max_examples=EXAMPLES)
def test_every_entry_has_one_table_or_bye_in_every_round(key: str, count: int, size: int, seed: int) -> None:
    state = competition(count, planned(key, 3, size), seed)
    while len(stage_of(state).rounds) < formats.find(key).rounds(state, stage_of(state)):
        state = drawn(state)
        each = last_round(state)
        placed = [entry for table in each.tables for entry in table.entries]
        assert sorted([*placed, *each.byes, *each.idle]) == sorted(entry.id for entry in state.entries)
        state = finished_round(state)
    state = after(state, *commands.draw_lots(state))
    assert [row.rank for row in ranking.standings(state, 1)] == list(range(1, count + 1))


@pytest.mark.parametrize("key", DRAWN)
def test_the_same_log_gives_the_same_draw(key: str) -> None:
    state = finished_round(drawn(competition(14, planned(key, 4))))
    assert commands.draw(state) == commands.draw(state)


@pytest.mark.parametrize("key", ["rounds", "swiss"])
def test_a_redraw_gives_another_draw(key: str) -> None:
    state = drawn(competition(14, plan(format=key)))
    again = after(state, *commands.draw(state, "a table was missing"))
    assert seated(state) != seated(again)


@pytest.mark.parametrize("key", DRAWN)
def test_another_seed_gives_another_draw(key: str) -> None:
    one, other = (drawn(competition(14, plan(format=key, table_size=2), seed)) for seed in (1, 2))
    assert [table.entries for table in last_round(one).tables] != [
        table.entries for table in last_round(other).tables
    ]


@pytest.mark.parametrize("key", DRAWN)
@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_a_stage_ends_despite_withdrawals_and_absences(key: str, data: st.DataObject) -> None:
    state = competition(9, planned(key, 3, 3))
    stage = stage_of(state)
    while len(stage.rounds) < formats.find(key).rounds(state, stage):
        live = [entry for entry in state.entries if entry.status == "entered"]
        here = [entry for entry in live if entry.plays((1, len(stage.rounds) + 1))]
        leaving = data.draw(st.lists(st.sampled_from(live), max_size=2, unique_by=lambda entry: entry.id))
        for entry in leaving:
            state = after(state, *commands.withdraw(state, entry=entry.id))
        for entry in data.draw(st.lists(st.sampled_from(here), max_size=1)):
            if entry not in leaving:
                state = after(state, Absent(entry.id, len(stage.rounds) + 1))
        stage = stage_of(state)
        if too_few_present(state) or len(stage.rounds) == formats.find(key).rounds(state, stage):
            break
        state = finished_round(drawn(state))
        stage = stage_of(state)
        if sum(entry.status == "entered" for entry in state.entries) < 3:
            break
    if not too_few_present(state):
        state = played_out(state)
    assert stage_of(state).open_round is None


@pytest.mark.parametrize("key", ["rounds", "swiss"])
@pytest.mark.parametrize(("count", "size", "rounds"), [(16, 4, 3), (12, 3, 3), (10, 2, 5)])
def test_repeats_are_avoided_while_possible(key: str, count: int, size: int, rounds: int) -> None:
    state = played_out(competition(count, plan(format=key, rounds=rounds, table_size=size)))
    assert [each.report["repeats"] for each in stage_of(state).rounds] == [0] * rounds


@pytest.mark.parametrize("key", ["rounds", "swiss"])
@pytest.mark.parametrize(("count", "size", "rounds", "seed"), KNOWN)
def test_nobody_meets_twice_as_long_as_a_schedule_is_known(
    key: str, count: int, size: int, rounds: int, seed: int
) -> None:
    state = played_out(competition(count, plan(format=key, rounds=rounds, table_size=size), seed))
    assert set(pairs(state).values()) == {1}


def test_a_round_is_drawn_by_itself_after_somebody_was_missing() -> None:
    state = competition(16, plan(format="swiss", rounds=5, table_size=4))
    state = after(state, Absent(state.entries[0].id, 1))
    state = finished_round(drawn(finished_round(drawn(state))))
    assert [len(table.entries) for table in last_round(state).tables] == [4] * 4
    assert last_round(state).report["repeats"] == 0


@pytest.mark.parametrize("key", ["rounds", "swiss"])
def test_entries_with_the_same_affiliation_are_kept_apart(key: str) -> None:
    state = opening(plan(format=key, table_size=2)).begin()
    for number in range(12):
        state = after(state, entered(number, affiliation=f"family {number // 4}"))
    state = drawn(after(state, *commands.start(state)))
    families = {entry.id: entry.affiliation for entry in state.entries}
    for table in last_round(state).tables:
        assert len({families[entry] for entry in table.entries}) == 2


def entered(number: int, affiliation: str) -> Entered:
    return Entered(uid(f"P{number}"), f"P{number}", (uid(f"player {number}"),), affiliation)


def test_a_single_short_table_seats_nobody_with_whom_they_met() -> None:
    """23 at tables of four and three: the club night of which the guide tells."""
    state = competition(23, plan(rounds=3, table_size=4))
    for _ in range(3):
        state = drawn(state)
        assert last_round(state).report["repeats"] == 0
        state = finished_round(state)
