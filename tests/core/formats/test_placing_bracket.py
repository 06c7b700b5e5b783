"""Brackets whose losers play on: places that are played out, the consolation, byes and absences in both."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.refusals import Malformed
from league.core import formats
from league.core.course import next_step, too_few_present
from league.core.plans import check_plans
from league.core.standings import ranking
from league.core.standings.outlook import outlook
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Intake, Placing, StagePlan
from league.core.verbs.presence import Absent, NoShow
from league.core.verbs.results import Forfeited, ResultRecorded, Voided, WalkedOver
from tests.core import deciding as commands
from tests.core.crosstable import HEAD, after, name_of, opening, plan, row_of, started, table_at
from tests.core.formats.played import drawn, finished_round, last_round, names, stage_of
from tests.core.ids import uid

EIGHT = "Ann Ben Cem Dana Eva Finn Gus Hal"


def placing(most: int = 0, consolation: bool = False, **changes: Any) -> StagePlan:
    params = {"placing": most, "consolation": consolation}
    order = Intake(seeding="order")
    return plan(format="knockout", rounds=0, table_size=2, intake=order, params=params, **changes)


def cup(entrants: str, most: int = 0, *, consolation: bool = False, **changes: Any) -> Competition:
    return started(entrants, placing(most, consolation, **changes))


def tables(state: Competition) -> dict[frozenset[str], str]:
    """What each table of the last round is for, by who sits there."""
    found = last_round(state).tables
    return {frozenset(name_of(state, entry) for entry in table.entries): table.label for table in found}


def published(state: Competition) -> Competition:
    state = drawn(state)
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    return after(state, *commands.publish(state, games=games))


def decided(state: Competition, upsets: str = "") -> Competition:
    """The published round played to its end: better seeds win, but for the named ones; then it is closed."""
    seeds = stage_of(state).entries
    for table in last_round(state).tables:
        if table.decided:
            continue
        first = [one for one in table.entries if name_of(state, one) in upsets.split()]
        order = sorted(table.entries, key=lambda one: (one not in first, seeds.index(one)))
        ranks = {entry: rank for rank, entry in enumerate(order, 1)}
        results = tuple(Placing(seat, ranks[one], 9 - ranks[one]) for seat, one in enumerate(table.entries))
        state = after(state, ResultRecorded(table.id, uid(table.id), HEAD, "finished", results))
    return after(state, *commands.close_round(state))


def played(state: Competition, *upsets: str) -> Competition:
    """The state after rounds in which the better seeds win, but for the named ones."""
    for each in upsets:
        state = decided(published(state), each)
    return state


def whole(state: Competition) -> Competition:
    """The state after all rounds, in which the better seeds win."""
    while next_step(state) == "draw":
        state = played(state, "")
    return state


def ranks(state: Competition) -> dict[str, int]:
    return {name_of(state, row.entry): row.rank for row in ranking.standings(state, 1)}


def reached(state: Competition) -> dict[str, int]:
    stage = stage_of(state)
    found = formats.of(stage.plan).reached(state, stage, len(stage.rounds))
    return {name_of(state, entry): each.rank for entry, each in found.items()}


# ---- Places --------------------------------------------------------------------------------------


def test_eight_play_for_all_places_in_three_rounds() -> None:
    state = drawn(played(cup(EIGHT, 8), ""))
    assert tables(state) == {
        frozenset({"Ann", "Dana"}): "semi-final",
        frozenset({"Ben", "Cem"}): "semi-final",
        frozenset({"Hal", "Eva"}): "places 5 to 8",
        frozenset({"Gus", "Finn"}): "places 5 to 8",
    }
    state = drawn(decided(commands_published(state)))
    assert [row_of(state, name).reached for name in ("Cem", "Gus")] == [
        "Plays for third place",
        "Plays for place 7",
    ]
    assert tables(state) == {
        frozenset({"Ann", "Ben"}): "final",
        frozenset({"Cem", "Dana"}): "third place",
        frozenset({"Eva", "Finn"}): "place 5",
        frozenset({"Gus", "Hal"}): "place 7",
    }
    state = decided(commands_published(state), "Hal")
    assert next_step(state) == "finish"
    assert [*ranks(state)] == ["Ann", "Ben", "Cem", "Dana", "Eva", "Finn", "Hal", "Gus"]
    assert [row_of(state, name).reached for name in ("Cem", "Eva", "Gus")] == ["Third", "Place 5", "Place 8"]


def commands_published(state: Competition) -> Competition:
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    return after(state, *commands.publish(state, games=games))


# The tables of each round: with m places played out the losers of a round play on where their places are
# among the first m. A bracket of sixteen without any has 8, 4, 2 and 2 with that for third place.
@pytest.mark.parametrize(
    ("count", "most", "sizes"),
    [
        (16, 0, [8, 4, 2, 2]),
        (16, 4, [8, 4, 2, 2]),
        (16, 8, [8, 4, 4, 4]),
        (16, 16, [8, 8, 8, 8]),
        (16, 7, [8, 4, 2, 2]),
        (11, 8, [3, 4, 4, 4]),
        (11, 16, [3, 4, 5, 5]),
        (6, 8, [2, 2, 3]),
        (4, 8, [2, 2]),
        (3, 4, [1, 1]),
        (2, 64, [1]),
    ],
)
def test_the_number_of_tables_follows_from_the_places_played_out(
    count: int, most: int, sizes: list[int]
) -> None:
    state = whole(cup(names(count), most))
    assert [len(each.tables) for each in stage_of(state).rounds] == sizes
    places = min(count, max(most, 4))
    alone = [rank for rank in reached(state).values() if [*reached(state).values()].count(rank) == 1]
    assert len(alone) >= min(places, 1 << (places.bit_length() - 1))


def test_who_plays_on_can_still_reach_each_of_the_places_and_no_other() -> None:
    state = played(cup(EIGHT, 8), "")
    bounds = outlook(state, 1)
    assert bounds
    found = {name: (bounds[uid(name)].best, bounds[uid(name)].worst) for name in ("Ann", "Eva", "Hal")}
    assert found == {"Ann": (1, 4), "Eva": (5, 8), "Hal": (5, 8)}
    assert row_of(state, "Eva").reached == "Plays for places 5 to 8"


def test_who_stays_away_from_a_match_for_a_place_leaves_it_to_the_other() -> None:
    state = played(cup(EIGHT, 8), "")
    state = after(state, Absent(uid("Hal"), 2))
    state = drawn(state)
    assert {name_of(state, entry) for entry in last_round(state).byes} == {"Eva"}
    state = drawn(decided(commands_published(state)))
    assert tables(state)[frozenset({"Eva", "Finn"})] == "place 5"
    assert frozenset({"Gus"}) not in tables(state)
    assert ranks(whole_from(state))["Hal"] == 8


def whole_from(state: Competition) -> Competition:
    return whole(decided(commands_published(state)))


def test_of_two_for_third_place_the_one_who_is_there_has_it_and_in_the_second_edition_both() -> None:
    for edition, places in ((3, (3, 4)), (2, (3, 3))):
        state = cup("Ann Ben Cem Dana", editions=Editions(3, edition, 6))
        state = played(state, "")
        state = after(state, *commands.withdraw(state, entry=uid("Dana")))
        state = played(state, "")
        assert (reached(state)["Cem"], reached(state)["Dana"]) == places


def test_losers_play_on_at_tables_of_two_only() -> None:
    for params in ({"placing": 8}, {"consolation": True}):
        heats = plan(format="knockout", rounds=0, table_size=4, params=params)
        with pytest.raises(Malformed, match="Losers play on at tables of two only"):
            check_plans(opening(heats))


def test_places_are_played_out_though_all_who_could_win_have_withdrawn() -> None:
    state = played(cup(EIGHT, 8), "", "")
    for name in ("Ann", "Ben"):
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    state = drawn(state)
    assert tables(state) == {
        frozenset({"Cem", "Dana"}): "third place",
        frozenset({"Eva", "Finn"}): "place 5",
        frozenset({"Gus", "Hal"}): "place 7",
    }
    state = decided(commands_published(state), "Hal")
    assert next_step(state) == "finish"
    assert [*ranks(state)][2:] == ["Cem", "Dana", "Eva", "Finn", "Hal", "Gus"]
    assert [row_of(state, name).reached for name in ("Cem", "Hal")] == ["Third", "Place 7"]


# ---- The consolation -----------------------------------------------------------------------------


def test_who_loses_the_first_match_plays_in_the_consolation() -> None:
    state = drawn(played(cup(EIGHT, consolation=True), ""))
    beside = {pair for pair, label in tables(state).items() if label == "consolation"}
    assert beside == {frozenset({"Hal", "Eva"}), frozenset({"Gus", "Finn"})}
    state = drawn(decided(commands_published(state)))
    assert tables(state)[frozenset({"Eva", "Finn"})] == "consolation final"
    state = decided(commands_published(state), "Finn")
    assert next_step(state) == "finish"
    assert [*ranks(state)] == ["Ann", "Ben", "Cem", "Dana", "Finn", "Eva", "Gus", "Hal"]
    assert row_of(state, "Finn").reached == "Out in round 1, won the consolation"
    assert row_of(state, "Gus").reached == "Out in round 1, out in round 1 of the consolation"


def in_consolation(state: Competition) -> set[str]:
    """Who sits at tables of the consolation in the round that is drawn next."""
    found = tables(drawn(state)).items()
    return {name for pair, label in found if label.startswith("consolation") for name in pair}


# Eleven: seeds 1 to 5 have byes, and 6-11, 7-10 and 8-9 meet. Who loses in round 2 after a bye comes too.
def test_after_a_bye_the_second_round_is_the_first_match() -> None:
    state = played(cup(names(11), consolation=True), "")
    assert in_consolation(state) == set()
    state = played(state, "P7 P5 P6")
    # P0, P1 and P2 had byes and lost to P7, P6 and P5; P4 had one and lost to P3, who had one too.
    assert in_consolation(state) == {"P0", "P8", "P1", "P9", "P2", "P10"}
    state = played(state, "")
    assert in_consolation(state) == {"P0", "P4", "P1", "P2"}
    state = played(state, "")
    assert tables(drawn(state)) == {frozenset({"P0", "P1"}): "consolation final"}


# How the match of P0 and P15 in round 1 ended, who beats the better seed in round 2, and which of the two is
# in the consolation.
CASES: Mapping[str, tuple[str, str, set[str]]] = {
    "lost": ("", "", {"P15"}),
    "both lost": ("", "P7", {"P15"}),
    "did not come": ("no_show", "", set()),
    "did not come, and the other lost next": ("no_show", "P7", {"P0"}),
    "a walkover, and lost next": ("walkover", "P7", {"P0"}),
    "left the game": ("forfeit", "P7", {"P15"}),
    "a void table": ("void", "P7", {"P0"}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_walkover_is_no_match_played(case: str) -> None:
    how, upset, expected = CASES[case]
    state = published(cup(names(16), consolation=True))
    table = table_at(state, "P0", "P15")
    happened = {
        "no_show": NoShow(table.id, uid("P15")),
        "walkover": WalkedOver(table.id, (uid("P0"),)),
        "void": Voided(table.id, "Wrong cards"),
        "forfeit": Forfeited(table.id, uid("P15"), "Left"),
    }
    state = decided(after(state, happened[how]) if how else state)
    came: set[str] = set()
    for each in (upset, "", "", ""):
        if next_step(state) == "draw":
            came |= in_consolation(state)
            state = played(state, each)
    assert came == {f"P{seed}" for seed in range(8, 15)} | expected


def test_who_plays_for_a_place_does_not_play_in_the_consolation() -> None:
    state = drawn(played(cup(names(16), 8, consolation=True), "", ""))
    labels = [*tables(state).values()]
    assert sorted(labels) == ["consolation"] * 2 + ["places 5 to 8"] * 2 + ["semi-final"] * 2


def test_the_other_wins_where_one_stays_away_from_the_consolation() -> None:
    state = played(cup(EIGHT, consolation=True), "")
    state = drawn(after(state, Absent(uid("Eva"), 2)))
    assert {name_of(state, entry) for entry in last_round(state).byes} == {"Hal"}
    state = drawn(decided(commands_published(state)))
    assert tables(state)[frozenset({"Hal", "Finn"})] == "consolation final"


def test_the_consolation_is_played_out_though_all_others_have_withdrawn() -> None:
    state = played(cup(EIGHT, consolation=True), "")
    for name in ("Ann", "Ben", "Cem", "Dana"):
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    state = whole(state)
    assert next_step(state) == "finish"
    assert row_of(state, "Eva").reached == "Out in round 1, won the consolation"


# Of eleven P8, P9 and P10 lose in round 1, and P4 after a bye in round 2; each is alone in a pair of slots.
def test_who_goes_on_in_the_consolation_without_a_match_is_shown_as_going_on() -> None:
    state = played(cup(names(11), consolation=True), "", "")
    stage = stage_of(state)
    named = {entry.id: entry.name for entry in state.entries}
    *_, picture = formats.of(stage.plan).brackets(state, stage, named)
    assert picture.title == "Consolation"
    first = [slot for match in picture.columns[0].matches for slot in match.slots if slot.name]
    assert [slot.name for slot in first if slot.advanced] == ["P8", "P4", "P9", "P10"]


def test_before_the_start_a_round_more_is_told() -> None:
    stage = placing(consolation=True)
    told = formats.of(stage).foretold(opening(stage), stage, 11)
    assert [str(each) for each in told] == [
        "The consolation takes a round more if one with a bye in round 1 then loses."
    ]
    assert not formats.of(stage).foretold(opening(stage), stage, 16)
    assert not formats.of(placing(8)).foretold(opening(placing(8)), placing(8), 11)


def test_the_rules_of_a_stage_say_who_plays_on() -> None:
    stage = placing(8, consolation=True)
    assert [str(each) for each in formats.of(stage).rules(stage)] == [
        "The places down to 8 are played out.",
        "Who loses the first match, byes and walkovers apart, goes on in a consolation.",
        "Nobody can ask for a bye: who is away from a round is out.",
    ]


# ---- Properties ----------------------------------------------------------------------------------


@given(
    count=st.integers(2, 20),
    most=st.sampled_from([0, 4, 8, 16]),
    consolation=st.booleans(),
    data=st.data(),
)
def test_every_bracket_ends_and_its_places_stay_in_the_bounds_that_were_told(
    count: int, most: int, consolation: bool, data: st.DataObject
) -> None:
    state = cup(names(count), most, consolation=consolation)
    bounds = []
    while next_step(state) == "draw":
        away = uid(f"P{data.draw(st.integers(0, 3 * count))}")
        if stage_of(state).rounds and away in stage_of(state).entries:
            missing = after(state, Absent(away, state.next_round))
            state = state if too_few_present(missing) else missing
        state = finished_round(drawn(state))
        bounds.append(outlook(state, 1) or {})
        assert len(stage_of(state).rounds) < 10
    for before, now in pairwise(bounds):
        for entry in stage_of(state).entries:
            assert before[entry].best <= now[entry].best
            assert now[entry].worst <= before[entry].worst


@given(count=st.integers(3, 24), seed=st.integers(0, 1000))
def test_each_who_lost_the_first_match_plays_in_the_consolation_and_nobody_else(
    count: int, seed: int
) -> None:
    stage = placing(consolation=True)
    state = started(names(count), stage)
    first: dict[str, bool] = {}
    beside: set[str] = set()
    while next_step(state) == "draw":
        state = drawn(state)
        winners = {entry for entry in stage_of(state).entries if (hash_of(entry, seed, state.next_round)) % 2}
        state = commands_published(state)
        for table in last_round(state).tables:
            order = sorted(table.entries, key=lambda one: one not in winners)
            ranks = tuple(Placing(seat, 1 + order.index(one), 0) for seat, one in enumerate(table.entries))
            state = after(state, ResultRecorded(table.id, uid(table.id), HEAD, "finished", ranks))
            if table.label.startswith("consolation"):
                beside |= {*table.entries}
            elif table.label not in ("final", "third place", "semi-final"):
                for one in table.entries:
                    first.setdefault(one, one == order[0])
            else:
                for one in table.entries:
                    first.setdefault(one, True)
        state = after(state, *commands.close_round(state))
    lost = {entry for entry, won in first.items() if not won}
    assert beside == (lost if len(lost) > 1 else set())


def hash_of(entry: str, seed: int, number: int) -> int:
    return int(entry[-6:], 16) ^ (seed * 2654435761 >> number)
