"""Round robin: all meet equally often, or as evenly as their number allows."""

from collections import Counter
from itertools import chain, combinations

import pytest

from games.engine.refusals import Illegal
from league.core import formats
from league.core.drawing.draw import table_sizes
from league.core.drawing.schedule import counting_bound, fewest_rounds, schedule, unmet_pairs
from league.core.state.competition import Competition
from league.core.verbs.presence import Absent
from league.core.verbs.start import StartCompetition
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, plan, started
from tests.core.formats.played import (
    competition,
    drawn,
    finished_round,
    last_round,
    names,
    pairs,
    played_out,
    sizes,
    stage_of,
)


def all_against_all(count: int, size: int, **changes: object) -> Competition:
    return competition(count, plan(format="round_robin", table_size=size, **{"rounds": 0, **changes}))


# rounds, and how often each two meet
@pytest.mark.parametrize(
    ("count", "size", "rounds", "met"),
    [(6, 2, 5, 1), (7, 2, 7, 1), (8, 4, 7, 3), (9, 3, 4, 1), (12, 3, 11, 2), (16, 4, 5, 1), (4, 4, 1, 1)],
)
def test_every_two_meet_equally_often(count: int, size: int, rounds: int, met: int) -> None:
    state = played_out(all_against_all(count, size, rounds=rounds))
    assert {*pairs(state).values()} == {met}
    assert len(pairs(state)) == count * (count - 1) // 2


@pytest.mark.parametrize(
    ("count", "size", "rounds"), [(8, 4, 3), (10, 4, 4), (9, 3, 4), (7, 3, 3), (6, 2, 5)]
)
def test_unless_told_how_many_there_are_the_fewest_rounds_known_in_which_all_meet(
    count: int, size: int, rounds: int
) -> None:
    state = played_out(all_against_all(count, size))
    assert len(stage_of(state).rounds) == rounds
    assert len(pairs(state)) == count * (count - 1) // 2


FIELDS = [(count, size) for size in range(3, 7) for count in range(size, 33)]


@pytest.mark.parametrize(("count", "size"), FIELDS)
def test_in_every_field_all_meet_in_at_least_as_many_rounds_as_counting_gives(count: int, size: int) -> None:
    tables = table_sizes(count, range(2, 11), size)
    fewest = fewest_rounds(count, tables)
    assert fewest >= counting_bound(count, tables)
    rounds = schedule(count, tables, fewest)
    assert (len(rounds), unmet_pairs(count, rounds)) == (fewest, 0)
    for each in rounds:
        assert tuple(map(len, each)) == tables
        assert sorted(chain(*each)) == [*range(count)]


@pytest.mark.parametrize(("count", "size", "rounds"), [(25, 5, 5), (16, 4, 5), (20, 4, 5), (15, 3, 7)])
def test_no_pair_meets_twice_where_rounds_are_few(count: int, size: int, rounds: int) -> None:
    tables = table_sizes(count, range(2, 11), size)
    met = Counter(
        pair for each in schedule(count, tables, rounds) for table in each for pair in combinations(table, 2)
    )
    assert {*met.values()} == {1}


def test_more_rounds_than_are_needed_leave_nobody_out() -> None:
    rounds = schedule(10, (4, 3, 3), 6)
    assert (len(rounds), unmet_pairs(10, rounds)) == (6, 0)


def test_a_field_beyond_the_stored_ones_has_a_schedule_in_which_all_meet() -> None:
    rounds = schedule(41, (4,) * 10, fewest_rounds(41, (4,) * 10))
    assert unmet_pairs(41, rounds) == 0


@pytest.mark.parametrize("count", [3, 5, 7, 9, 21])
def test_first_seats_of_an_odd_field_of_duels_are_as_even_as_berger_tables(count: int) -> None:
    state = played_out(all_against_all(count, 2))
    begun = Counter(table.entries[0] for each in stage_of(state).rounds for table in each.tables)
    assert {begun[entry.id] for entry in state.entries} == {(count - 1) // 2}


def test_there_are_no_byes_where_mixed_table_sizes_seat_everybody() -> None:
    assert sizes(last_round(drawn(all_against_all(13, 4)))) == [5, 4, 4]


def test_with_tables_of_four_only_each_of_thirteen_has_one_bye() -> None:
    fours = plan(format="round_robin", rounds=13, table_size=4)
    state = played_out(started(names(13), fours, seats=(4,)))
    byes = [entry for each in stage_of(state).rounds for entry in each.byes]
    assert sorted(byes) == sorted(entry.id for entry in state.entries)
    assert {*pairs(state).values()} == {3}


def test_in_a_double_round_robin_every_two_meet_twice() -> None:
    assert {*pairs(played_out(all_against_all(6, 2, rounds=10))).values()} == {2}


def test_in_duels_of_an_odd_number_each_has_one_bye() -> None:
    state = played_out(all_against_all(5, 2))
    byes = [entry for each in stage_of(state).rounds for entry in each.byes]
    assert sorted(byes) == sorted(entry.id for entry in state.entries)


def test_half_a_schedule_is_as_even_as_the_search_finds() -> None:
    met = pairs(played_out(all_against_all(8, 4, rounds=5)))
    assert [*map([*met.values()].count, (1, 2, 3))] == [4, 16, 8]


def test_a_schedule_spreads_byes_and_short_tables() -> None:
    rounds = schedule(7, (3, 2), 7)
    rests = Counter(place for tables in rounds for place in {*range(7)} - {*chain(*tables)})
    short = Counter(place for tables in rounds for table in tables if len(table) == 2 for place in table)
    assert {*rests.values()} == {*short.values()} == {2}


def test_the_first_seat_rotates() -> None:
    state = played_out(all_against_all(8, 2))
    begun = [table.entries[0] for each in stage_of(state).rounds for table in each.tables]
    assert {begun.count(entry.id) for entry in state.entries} <= {3, 4}


def test_an_absence_does_not_change_the_schedule_of_the_others() -> None:
    state = all_against_all(6, 2)
    whole = {frozenset(table.entries) for table in last_round(drawn(state)).tables}
    away = state.entries[0].id
    state = drawn(after(state, Absent(away, 1)))
    assert {frozenset(table.entries) for table in last_round(state).tables} == {
        pair for pair in whole if away not in pair
    }
    assert len(last_round(state).byes) == 1


def test_groups_play_separately_and_a_small_group_finishes_earlier() -> None:
    state = played_out(all_against_all(7, 2, groups=2))
    four, three = stage_of(state).groups
    assert {*pairs(state)} == {
        frozenset({one, other}) for group in (four, three) for one in group for other in group if one != other
    }
    assert [len(each.idle) for each in stage_of(state).rounds] == [0, 0, 0]


def test_a_round_robin_that_has_begun_takes_no_late_entries() -> None:
    state = finished_round(drawn(all_against_all(6, 2)))
    with pytest.raises(Illegal, match="begun"):
        commands.enter(state, entry=state.entries[0].id, name="Late", players=[state.entries[0].id])


def test_the_fewest_rounds_known_are_told_before_the_start() -> None:
    plans = plan(format="round_robin", rounds=3, table_size=4)
    (_, told) = StartCompetition.cautions(entered(names(13), plans))
    assert str(told.sentence) == (
        "Everybody meets everybody in 5 rounds, the fewest known for 13 entries; no schedule can "
        "have fewer than 4. Planned rounds: 3; pairs of entries that do not meet: 24."
    )


def test_a_round_robin_too_big_to_plan_is_refused_with_what_would_work() -> None:
    state = entered(names(121), plan(format="round_robin", rounds=0, table_size=4))
    with pytest.raises(Illegal) as refusal:
        commands.start(state)
    assert str(refusal.value) == (
        "A round robin of 121 entries is too big to find the rounds in which all meet. Set a number of "
        "rounds (at least 40), or make groups of 120 entries at most."
    )


@pytest.mark.parametrize(("rounds", "size"), [(5, 4), (0, 2)])
def test_a_big_round_robin_starts_with_a_number_of_rounds_or_an_exact_design(rounds: int, size: int) -> None:
    assert commands.start(entered(names(121), plan(format="round_robin", rounds=rounds, table_size=size)))


def test_all_of_a_hundred_meet() -> None:
    tables = table_sizes(100, range(2, 7), 4)
    assert unmet_pairs(100, schedule(100, tables, fewest_rounds(100, tables))) == 0


def test_before_the_draw_a_bye_by_an_absence_is_told_and_who_then_never_meets() -> None:
    state = competition(4, plan(format="round_robin", rounds=0, table_size=2))
    assert not formats.find("round_robin").without_absent(state, stage_of(state), 1)
    away = stage_of(state).entries[0]
    state = after(state, Absent(away, 1))
    bye, never = formats.find("round_robin").without_absent(state, stage_of(state), 1)
    name = state.entry(away).name
    assert bye.endswith(f", in place of a table with {name}.")
    assert never.startswith(f"{name} and ") and never.endswith(" will never meet.")
