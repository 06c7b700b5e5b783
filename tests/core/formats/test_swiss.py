"""Swiss: similar points meet, repeats are avoided, byes go in turn, and duels have the least cost."""

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.chance import Chance
from games.engine.values import replace
from league.core.drawing.drawing import allotted
from league.core.drawing.least_cost import FEW, Costs, best_seating, dealt, seatings, total
from league.core.drawing.pairing import best_pairs
from league.core.events import Event
from league.core.standings import ranking
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Scoring
from league.core.verbs.results import Voided, WalkedOver
from league.core.verbs.wishes import FixTable
from tests.core import deciding as commands
from tests.core.committed import committed
from tests.core.crosstable import (
    after,
    name_of,
    plan,
    played,
    points,
    published,
    result,
    seated,
    started,
    table_at,
)
from tests.core.formats.played import (
    competition,
    drawn,
    finished_round,
    last_round,
    pairs,
    played_out,
    stage_of,
)
from tests.core.ids import uid

SWISS = plan(format="swiss", rounds=5, table_size=2)
EIGHT = "Ann Ben Cem Dana Eva Finn Gus Hal"


def test_winners_meet_in_the_next_round() -> None:
    state = played(started(EIGHT, SWISS), "Ann > Ben; Cem > Dana; Eva > Finn; Gus > Hal")
    for table in seated(drawn(state)):
        assert len({points(state, name) for name in table}) == 1


def test_equal_points_do_not_pair_entries_again() -> None:
    state = played(started("Ann Ben Cem Dana", SWISS), "Ann > Ben; Cem > Dana", "Ann = Cem; Ben = Dana")
    assert {frozenset(table) for table in seated(drawn(state))} == {
        frozenset({"Ann", "Dana"}),
        frozenset({"Ben", "Cem"}),
    }


def test_the_winners_of_three_tables_meet() -> None:
    at_fours = plan(format="swiss", rounds=3, table_size=4)
    tables = "Ann > Ben > Cem > Dana; Eva > Finn > Gus > Hal; Ida > Jon > Kim > Lea; Max > Nia > Olaf > Pia"
    names = " ".join(word for word in tables.replace(";", " ").split() if word.isalpha())
    state = played(started(names, at_fours), tables)
    assert {"Ann", "Eva", "Ida", "Max"} in seated(drawn(state))


@pytest.mark.parametrize("policy", ["win", "none"])
def test_the_bye_goes_to_any_entry_without_one_whatever_its_points(policy: Any) -> None:
    byes = plan(format="swiss", rounds=5, table_size=2, scoring=Scoring(bye=policy))
    resting: list[str] = []
    for seed in range(12):
        state = started("Ann Ben Cem Dana Eva", byes, root=committed(seed))
        one = played(state, "Ann > Ben; Cem > Dana", byes="Eva")
        other = played(state, "Ben > Ann; Dana > Cem", byes="Eva")
        assert last_round(drawn(one)).byes == last_round(drawn(other)).byes
        resting.append(*last_round(drawn(one)).byes)
    assert {*resting} == {uid(name) for name in ("Ann", "Ben", "Cem", "Dana")}


LOWEST = plan(format="swiss", rounds=5, table_size=2, params={"byes": "lowest"})


def rests(state: Competition, *, seeds: int = 6) -> set[str]:
    """Who has the next bye, in draws with several seeds."""
    found = (drawn(replace(state, root=committed(seed))) for seed in range(seeds))
    return {name_of(each, entry) for each in found for entry in last_round(each).byes}


def test_a_stage_can_give_the_bye_to_the_lowest_who_had_none() -> None:
    state = started("Ann Ben Cem Dana Eva", LOWEST)
    state = played(state, "Ann > Ben; Cem > Dana", byes="Eva")
    assert rests(state) <= {"Ben", "Dana"}
    state = played(state, "Ann > Cem; Eva > Ben", byes="Dana")
    assert rests(state) == {"Ben"}


def test_where_low_scores_lead_the_lowest_has_most_points() -> None:
    low = Scoring(by="score", fair=False, bye="middle")
    state = started("Ann Ben Cem", replace(LOWEST, scoring=low), low_wins=True)
    assert rests(played(state, "Ann 1 > Ben 9", byes="Cem")) == {"Ben"}


def test_the_leaders_sit_at_table_1() -> None:
    state = played(started(EIGHT, SWISS), "Ann > Ben; Cem > Dana; Eva > Finn; Gus > Hal")
    state = played(state, "Hal > Finn; Dana > Ben; Eva > Gus; Ann > Cem")
    state = drawn(state)
    ranks = {name_of(state, row.entry): row.rank for row in ranking.standings(state, 1)}
    best = [sorted(ranks[name] for name in table) for table in seated(state)]
    assert seated(state)[0] == {"Ann", "Eva"}
    assert best == sorted(best)


def test_a_fixed_table_keeps_its_number_and_the_first_edition_numbers_by_ids() -> None:
    state = played(started(EIGHT, SWISS), "Ann > Ben; Cem > Dana; Eva > Finn; Gus > Hal")
    state = played(state, "Hal > Finn; Dana > Ben; Eva > Gus; Ann > Cem")
    state = after(state, *commands.decide(state, FixTable(uid("Ann"), 3)))
    assert seated(drawn(state))[2] == {"Ann", "Eva"}
    first = started(EIGHT, replace(SWISS, editions=Editions(4, 1, 6)))
    first = played(first, "Ann > Ben; Cem > Dana; Eva > Finn; Gus > Hal")
    state = drawn(first)
    assert min(stage_of(state).entries) in last_round(state).tables[0].entries


def late(state: Competition, name: str) -> Competition:
    return after(state, *commands.enter(state, entry=uid(name), name=name, players=[uid(f"player {name}")]))


# Ben's was a bye among those who were here; Eva came late, and hers does not count.
def test_a_latecomers_first_bye_is_none() -> None:
    state = played(started("Ann Ben Cem Dana", SWISS), "Ann > Ben; Cem > Dana")
    state = played(late(state, "Eva"), "Ann > Cem; Ben > Dana", byes="Eva")
    assert rests(state, seeds=16) == {"Ann", "Ben", "Cem", "Dana", "Eva"}
    old = started("Ann Ben Cem Dana", replace(SWISS, editions=Editions(4, 1, 6)))
    old = played(late(played(old, "Ann > Ben; Cem > Dana"), "Eva"), "Ann > Cem; Ben > Dana", byes="Eva")
    assert "Eva" not in rests(old, seeds=16)


# Eva came for round 2: there is one bye in it, and the four others had none yet either.
def test_who_comes_late_is_not_sent_to_a_bye_in_the_round_for_which_they_came() -> None:
    state = late(played(started("Ann Ben Cem Dana", SWISS), "Ann > Ben; Cem > Dana"), "Eva")
    assert rests(state, seeds=16) == {"Ann", "Ben", "Cem", "Dana"}
    second = replace(SWISS, editions=replace(SWISS.editions, format=2))
    state = late(played(started("Ann Ben Cem Dana", second), "Ann > Ben; Cem > Dana"), "Eva")
    assert "Eva" in rests(state, seeds=16)


@given(count=st.integers(4, 15), seed=st.integers(0, 99), size=st.sampled_from([2, 3, 4]))
def test_nobody_has_two_byes_more_than_another_and_tables_follow_the_ranks(
    count: int, seed: int, size: int
) -> None:
    lowest = replace(LOWEST, table_size=size, rounds=4)
    state = competition(count, lowest, seed, seats=(size,))
    for _ in range(4):
        ranks = {row.entry: row.rank for row in ranking.standings(state, 1)}
        state = drawn(state)
        best = [sorted(ranks[entry] for entry in table.entries) for table in last_round(state).tables]
        assert best == sorted(best)
        state = finished_round(state)
    had = Counter(entry for each in stage_of(state).rounds for entry in each.byes)
    assert max(had.values(), default=0) - min(had[entry] for entry in stage_of(state).entries) <= 1


def at_short_tables(state: Competition) -> set[str]:
    tables = last_round(state).tables
    longest = max(len(table.entries) for table in tables)
    return {entry for table in tables for entry in table.entries if len(table.entries) < longest}


FOUR = ("Ann", "Ben", "Cem", "Dana")
SEVEN = "Ann Ben Cem Dana Eva Finn Gus"


@pytest.mark.parametrize("seed", range(4))
def test_short_tables_go_to_those_who_had_fewest_whatever_their_points(seed: int) -> None:
    at_fours = plan(format="swiss", rounds=3, table_size=4)
    state = started(SEVEN, at_fours, root=committed(seed))
    one = drawn(played(state, "Ann > Ben > Cem > Dana; Eva > Finn > Gus"))
    other = drawn(played(state, "Dana > Cem > Ben > Ann; Gus > Finn > Eva"))
    assert at_short_tables(one) == at_short_tables(other) < {uid(name) for name in FOUR}


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(0, 4), min_size=1), st.integers(0, 8))
def test_what_is_allotted_goes_to_those_who_had_fewest_then_by_lot(had: dict[str, int], count: int) -> None:
    lots = sorted(had, reverse=True)
    chosen = allotted(lots, count, had)
    assert len(chosen) == min(count, len(lots))
    for one in chosen:
        for other in {*lots} - {*chosen}:
            assert (had[one], lots.index(one)) < (had[other], lots.index(other))


@pytest.mark.parametrize(("verdict", "repeats"), [("void", 0), ("walkover", 0), ("", 1)])
def test_only_played_tables_count_as_meetings(verdict: str, repeats: int) -> None:
    state = published(started("Ann Ben", SWISS), "Ann > Ben")
    table = table_at(state, "Ann")
    verdicts: dict[str, Event] = {
        "void": Voided(table.id, "no light"),
        "walkover": WalkedOver(table.id, (uid("Ann"),)),
        "": result(table, "Ann > Ben"),
    }
    state = after(state, verdicts[verdict])
    state = drawn(after(state, *commands.close_round(state)))
    assert last_round(state).report["repeats"] == repeats


@pytest.mark.parametrize(("count", "size", "rounds"), [(20, 2, 7), (16, 4, 4), (11, 3, 3)])
def test_a_whole_swiss_repeats_no_pair(count: int, size: int, rounds: int) -> None:
    state = played_out(competition(count, plan(format="swiss", rounds=rounds, table_size=size)))
    assert len(stage_of(state).rounds) == rounds
    assert max(pairs(state).values()) == 1


SYMMETRIC = st.integers(1, 3).flatmap(
    lambda half: st.lists(st.integers(0, 50), min_size=4 * half * half, max_size=4 * half * half)
)


@given(SYMMETRIC)
@settings(max_examples=50)
def test_duels_cost_as_little_as_any_pairing(weights: list[int]) -> None:
    costs = symmetric(weights)
    found = best_pairs(costs.meeting, Chance(b"pairs"))
    assert total(costs, found) == min(
        total(costs, [list(order[at : at + 2]) for at in range(0, len(order), 2)])
        for order in permutations(range(len(costs.short)))
    )


@given(SYMMETRIC)
@settings(max_examples=50)
def test_tables_of_a_small_field_cost_as_little_as_any_seating(weights: list[int]) -> None:
    costs = symmetric(weights)
    third = len(costs.short) // 3
    sizes = [len(costs.short) - third, third] if third else [2]
    found = best_seating(costs, sizes, Chance(b"tables"))
    assert total(costs, found) == min(
        total(costs, dealt(order, sizes)) for order in permutations(range(len(costs.short)))
    )


@pytest.mark.parametrize("seed", range(5))
def test_no_exchange_of_two_entries_lowers_the_cost_in_a_bigger_field(seed: int) -> None:
    sizes = [4, 4, 4, 3]
    assert seatings(sizes) > FEW
    chance = Chance(bytes([seed]))
    costs = symmetric([chance.below(f"weight {at}", 50) for at in range(15 * 15)])
    found = best_seating(costs, sizes, chance)
    for one, other in combinations(range(15), 2):
        swap = {one: other, other: one}
        exchanged = [[swap.get(each, each) for each in table] for table in found]
        assert total(costs, exchanged) >= total(costs, found)


def test_seatings_are_counted_without_regard_to_order() -> None:
    assert [seatings(sizes) for sizes in ([2, 2], [3, 3, 3], [4, 3], [4])] == [3, 280, 35, 1]


def symmetric(weights: list[int]) -> Costs:
    count = int(len(weights) ** 0.5)
    rows = [[0] * count for _ in range(count)]
    for one in range(count):
        for other in range(one):
            rows[one][other] = rows[other][one] = weights[one * count + other]
    return Costs(rows, [0] * count)


def test_there_are_no_repeats_while_a_seating_without_them_exists() -> None:
    state = competition(28, plan(format="swiss", rounds=5, table_size=4))
    assert [each.report["repeats"] for each in stage_of(played_out(state)).rounds] == [0] * 5
