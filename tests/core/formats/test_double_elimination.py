"""Double elimination: who meets whom in both halves, byes, the finals, ranks, and how rare rematches are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core import formats
from league.core.drawing.bracket import Match, Played
from league.core.drawing.double_bracket import MASKS, TO_COME, DoubleBracket, Step
from league.core.formats.double_elimination import LOWER, SECOND_FINAL
from league.core.lines import Line
from league.core.plans import check_plans
from league.core.standings import ranking
from league.core.standings.outlook import outlook
from league.core.standings.settled import settled
from league.core.state.competition import Competition
from league.core.state.plan import Intake, Placing, StagePlan
from league.core.verbs.entries import ExpelEntry
from league.core.verbs.presence import Absent
from league.core.verbs.results import ResultRecorded
from tests.core import deciding as commands
from tests.core.crosstable import HEAD, after, name_of, opening, plan, row_of, started
from tests.core.formats.played import competition, drawn, finished_round, last_round, names, stage_of
from tests.core.ids import uid

KEY = "double_elimination"


def double(**params: object) -> StagePlan:
    return plan(format=KEY, rounds=0, table_size=2, intake=Intake(seeding="order"), params=params)


def cup(entrants: str, **params: object) -> Competition:
    return started(entrants, double(**params))


def going_on(state: Competition) -> bool:
    stage = stage_of(state)
    return len(stage.rounds) < formats.of(stage.plan).rounds(state, stage)


def decided(state: Competition, upsets: str = "", *, level: bool = False) -> Competition:
    """The state after a round in which the better seeds win, and the named ones beat whom they meet.

    With ``level`` all are level with whom they meet.
    """
    state = drawn(state)
    tables = last_round(state).tables
    state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
    seeds = stage_of(state).entries
    for table in tables:
        first = [one for one in table.entries if name_of(state, one) in upsets.split()]
        order = sorted(table.entries, key=lambda one: (one not in first, seeds.index(one)))
        ranks = {entry: 1 if level else rank for rank, entry in enumerate(order, 1)}
        placings = tuple(Placing(seat, ranks[one], 9 - ranks[one]) for seat, one in enumerate(table.entries))
        state = after(state, ResultRecorded(table.id, uid(table.id), HEAD, "finished", placings))
    return after(state, *commands.close_round(state))


def met(state: Competition) -> list[tuple[str, set[str]]]:
    """What each table of the last round is for, and who sits there."""
    return [
        (table.label, {name_of(state, one) for one in table.entries}) for table in last_round(state).tables
    ]


def ranks(state: Competition) -> dict[str, int]:
    return {name_of(state, row.entry): row.rank for row in ranking.standings(state, 1)}


def test_four_play_six_tables_in_four_rounds() -> None:
    state = decided(cup("Ann Ben Cem Dana"))
    assert met(state) == [("", {"Ann", "Dana"}), ("", {"Ben", "Cem"})]
    state = decided(state)
    assert met(state) == [("", {"Ann", "Ben"}), (LOWER, {"Dana", "Cem"})]
    state = decided(state)
    assert met(state) == [(LOWER, {"Cem", "Ben"})]
    state = decided(state)
    assert met(state) == [("final", {"Ann", "Ben"})]
    assert not going_on(state)
    assert ranks(state) == {"Ann": 1, "Ben": 2, "Cem": 3, "Dana": 4}
    assert "Third" in row_of(state, "Cem").reached


def test_the_unbeaten_come_first_while_the_cup_runs_and_all_can_still_win() -> None:
    state = decided(cup("Ann Ben Cem Dana"), "Cem")
    bounds = outlook(state, 1)
    worst = {name_of(state, entry): each.worst for entry, each in (bounds or {}).items()}
    assert worst == {"Ann": 3, "Cem": 3, "Ben": 4, "Dana": 4}
    assert bounds and {each.best for each in bounds.values()} == {1}
    assert {name for name, rank in ranks(state).items() if rank < 3} == {"Ann", "Cem"}
    told = {name: row_of(state, name).reached for name in ("Ann", "Ben")}
    assert told == {"Ann": "Still in, unbeaten", "Ben": "Still in, with one loss"}


def test_who_waits_for_the_other_half_has_a_bye() -> None:
    state = decided(decided(decided(cup("Ann Ben Cem Dana Eva Finn Gus Hal"))))
    assert {name_of(state, one) for one in last_round(state).byes} == {"Ann", "Ben"}
    assert {name_of(state, one) for one in last_round(state).idle} == {"Gus", "Hal"}


def test_who_is_away_is_told_to_lose_a_match_but_not_where_there_is_none() -> None:
    state = decided(cup("Ann Ben Cem Dana"))
    away = after(state, Absent(uid("Dana"), 2))
    (told,) = formats.find(KEY).without_absent(away, stage_of(away), 2)
    assert "Dana" in told
    away = after(decided(state), Absent(uid("Ann"), 3))
    assert not formats.find(KEY).without_absent(away, stage_of(away), 3)


def test_a_second_final_decides_where_the_unbeaten_loses_the_first() -> None:
    state = cup("Ann Ben Cem Dana")
    for _ in range(3):
        state = decided(state)
    lost = decided(state, "Ben")
    assert going_on(lost)
    bounds = outlook(lost, 1)
    assert bounds
    assert {(bounds[uid(name)].best, bounds[uid(name)].worst) for name in ("Ann", "Ben")} == {(1, 2)}
    for winner, other in (("Ann", "Ben"), ("Ben", "Ann")):
        over = decided(lost, winner)
        assert met(over) == [(SECOND_FINAL, {"Ann", "Ben"})]
        assert not going_on(over)
        assert (ranks(over)[winner], ranks(over)[other]) == (1, 2)


def test_the_second_final_of_eleven_is_their_twenty_first_match() -> None:
    state, tables = cup(names(11)), 0
    while going_on(state):
        then = decided(state)
        if not going_on(then):  # the best seed has not lost before
            ((_label, pair),) = met(then)
            then = decided(state, *(pair - {"P0"}))
        state, tables = then, tables + len(last_round(then).tables)
    assert tables == 21


def test_a_second_final_is_called_if_needed_only_until_it_is_drawn() -> None:
    def title(state: Competition) -> str:
        called = {entry.id: entry.name for entry in state.entries}
        stage = stage_of(state)
        return str(formats.of(stage.plan).brackets(state, stage, called)[0].columns[-1].title)

    state = decided(decided(decided(cup("Ann Ben Cem Dana"))))
    assert title(state) == "Second final, if needed"
    state = decided(state, upsets="Ben")
    assert title(state) == "Second final, if needed"
    assert title(decided(state)) == "Second final"


def test_without_a_second_final_the_first_one_decides() -> None:
    state = cup("Ann Ben Cem Dana", second_final=False)
    for _ in range(3):
        state = decided(state)
    state = decided(state, "Ben")
    assert not going_on(state)
    assert ranks(state)["Ben"] == 1


def test_losers_of_later_rounds_come_to_the_other_side() -> None:
    state = decided(decided(decided(cup("Ann Ben Cem Dana Eva Finn Gus Hal"))))
    assert met(state) == [(LOWER, {"Eva", "Cem"}), (LOWER, {"Finn", "Dana"})]


@pytest.mark.parametrize(
    ("count", "places"),
    [
        (5, [1, 2, 3, 4, 5]),
        (8, [1, 2, 3, 4, 5, 5, 7, 7]),
        (11, [1, 2, 3, 4, 5, 5, 7, 7, 9, 9, 9]),
        (16, [1, 2, 3, 4, 5, 5, 7, 7, *[9] * 4, *[13] * 4]),
    ],
)
def test_places_follow_from_the_lower_round_that_was_lost(count: int, places: list[int]) -> None:
    state = cup(names(count))
    tables = 0
    while going_on(state):
        state = decided(state)
        tables += len(last_round(state).tables)
    reached = formats.of(stage_of(state).plan).reached(state, stage_of(state), len(stage_of(state).rounds))
    assert sorted(each.rank for each in reached.values()) == places
    assert tables == 2 * count - 2


@pytest.mark.parametrize("count", [*range(2, 12), 16, 17, 31, 33, 64])
def test_who_loses_twice_is_out_and_nobody_else(count: int) -> None:
    state = competition(count, double(), seed=count)
    lost: Counter[str] = Counter()
    while going_on(state):
        stage = stage_of(state)
        (playing,) = formats.of(stage.plan).playing(state, stage, len(stage.rounds) + 1)
        assert {*playing} == {entry.id for entry in state.entries if lost[entry.id] < 2}
        state = finished_round(drawn(state))
        for table in last_round(state).tables:
            (result,) = table.results
            last = max(result.placings, key=lambda placing: placing.rank)
            lost[table.entries[last.seat]] += 1
    (winner,) = (row.entry for row in ranking.standings(state, 1) if row.rank == 1)
    assert lost[winner] in (0, 1)
    assert {lost[entry.id] for entry in state.entries if entry.id != winner} == {2}


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_every_course_of_a_small_field_agrees_with_a_plain_list_of_losses(count: int) -> None:
    seeds = [f"S{number}" for number in range(count)]
    for outcomes in product((0, 1), repeat=2 * count - 1):
        results, rounds, lost = iter(outcomes), list[Played](), Counter[str]()
        while True:
            bracket = DoubleBracket(seeds, rounds, second_final=True)
            assert {*bracket.still_in} == {one for one in seeds if lost[one] < 2}
            if len(rounds) == bracket.length:
                break
            rounds.append(a_round(len(rounds) + 1, bracket.steps[len(rounds)], results))
            lost.update(loser for match in rounds[-1].matches for loser in match.line.out)
        assert sum(lost.values()) in (2 * count - 2, 2 * count - 1)


def a_round(number: int, step: Step, results: Iterator[int]) -> Played:
    """A round in which the next results say which of each two wins."""
    assert TO_COME not in {one for pair in step.pairs for one in pair}
    matches, going_on = [], set[str]()
    for pair in step.pairs:
        here = [one for one in pair if one]
        if len(here) == 2:
            first = next(results)
            matches.append(Match("", Line((here[first],), (here[1 - first],))))
            going_on.add(here[first])
        going_on |= {*here} if len(here) == 1 else set()
    return Played(number, tuple(matches), frozenset(going_on))


def test_who_does_not_come_has_lost_and_of_two_the_better_seed_goes_on() -> None:
    state = cup("Ann Ben Cem Dana")
    for name in ("Ben", "Cem"):
        state = after(state, Absent(uid(name), 1))
    state = decided(state)
    assert met(state) == [("", {"Ann", "Dana"})]
    state = decided(state)
    assert met(state) == [("", {"Ann", "Ben"}), (LOWER, {"Dana", "Cem"})]


def test_a_withdrawal_gives_byes_and_who_is_left_alone_wins_by_them() -> None:
    state = decided(cup("Ann Ben Cem Dana"))
    state = after(state, *commands.withdraw(state, entry=uid("Cem")))
    state = decided(state)
    assert met(state) == [("", {"Ann", "Ben"})]
    assert [name_of(state, one) for one in last_round(state).byes] == ["Dana"]
    for name in ("Ben", "Dana"):
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    for _ in range(2):
        assert going_on(state)
        state = decided(state)
        assert [name_of(state, one) for one in last_round(state).byes] == ["Ann"]
    assert not going_on(state)
    assert row_of(state, "Ann").reached == "Won the final"


@pytest.mark.parametrize(("gone", "rounds"), [("Ann", 5), ("Ben", 4)])
def test_who_withdraws_before_the_final_has_lost_it(gone: str, rounds: int) -> None:
    state = cup("Ann Ben Cem Dana")
    for _ in range(3):
        state = decided(state)
    state = after(state, *commands.withdraw(state, entry=uid(gone)))
    while going_on(state):
        state = decided(state)
    left = "Ben" if gone == "Ann" else "Ann"
    assert ranks(state) == {left: 1, gone: 2, "Cem": 3, "Dana": 4}
    assert len(stage_of(state).rounds) == rounds


def test_who_is_expelled_after_the_next_draw_leaves_no_place_to_who_lost_before() -> None:
    state = decided(decided(cup("Ann Ben Cem Dana")))
    assert (LOWER, {"Cem", "Dana"}) in met(state)
    state = drawn(state)
    assert met(state) == [(LOWER, {"Ben", "Cem"})]
    state = after(state, *commands.decide(state, ExpelEntry(uid("Cem"), "Cheated", annul=True)))
    assert [name_of(state, one) for one in last_round(state).byes] == ["Ann", "Ben"]
    state = finished_round(state)
    assert met(decided(state)) == [("final", {"Ann", "Ben"})]
    assert row_of(state, "Dana").reached == "Out in round 1 of the lower bracket"


def test_a_cup_in_which_all_have_left_has_no_further_rounds() -> None:
    state = decided(cup("Ann Ben Cem Dana"))
    for name in ("Ann", "Ben", "Cem", "Dana"):
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    assert not going_on(state)


def test_a_round_whose_entries_have_all_left_has_byes_for_the_others() -> None:
    state = decided(decided(cup("Ann Ben Cem Dana Eva Finn Gus Hal")))
    assert [label for label, _ in met(state)] == ["", "", LOWER, LOWER]
    for name in ("Cem", "Dana", "Eva", "Finn"):
        state = after(state, *commands.withdraw(state, entry=uid(name)))
    state = drawn(state)
    assert {name_of(state, one) for one in last_round(state).byes} == {"Ann", "Ben"}
    state = decided(finished_round(state))
    assert met(state) == [("", {"Ann", "Ben"})]


def test_it_is_refused_for_other_tables_and_for_fields_beyond_the_biggest_bracket() -> None:
    with pytest.raises(Malformed):
        check_plans(opening(plan(format=KEY, rounds=0, table_size=4)))
    with pytest.raises(Illegal, match="at most 128"):
        formats.find(KEY).check_groups(opening(double()), double(), [129])


# ---- Rematches -----------------------------------------------------------------------------------


def way(masks: Sequence[int], upper: int, match: int) -> list[tuple[int, int]]:
    """The matches of the lower half that the loser of a match of the upper half can reach, winning all."""
    rounds = len(masks) + 2
    at = (1, match >> 1) if upper == 1 else (2 * upper - 2, match ^ (*masks, 0)[upper - 2])
    matches = [at]
    while at[0] < 2 * rounds - 2:
        at = (at[0] + 1, at[1] >> 1 if at[0] % 2 == 0 else at[1])
        matches.append(at)
    return matches


def rematches(masks: Sequence[int]) -> Iterator[tuple[int, Fraction]]:
    """The lower round in which two can meet again, for each two matches of the upper half, and its chance."""
    rounds = len(masks) + 2
    for upper in range(1, rounds + 1):
        for match, later in product(range(2 ** (rounds - upper)), range(upper + 1, rounds + 1)):
            loser, winner = way(masks, upper, match), way(masks, later, match >> (later - upper))
            if common := next((each for each in loser if each in winner), None):
                wins = later - upper + loser.index(common) + winner.index(common)
                yield common[0], Fraction(1, 2**wins)


@pytest.mark.parametrize(
    ("entries", "first", "expected"),
    [(8, 3, 0.625), (16, 4, 0.75), (32, 5, 0.734375), (64, 7, 0.702637), (128, 8, 0.722717)],
)
def test_rematches_come_as_late_and_as_rarely_as_the_best_masks_allow(
    entries: int, first: int, expected: float
) -> None:
    assert counted(MASKS[entries.bit_length() - 1]) == pytest.approx((first, expected), abs=1e-6)


# Who sends losers on in their order, and as the library brackets-manager does where nothing else is said.
@pytest.mark.parametrize(
    ("masks", "first", "expected"),
    [
        ((0,), 2, 1.375),
        ((0, 0), 2, 3.09),
        ((0, 0, 0), 2, 6.52),
        ((0, 0, 0, 0), 2, 13.4),
        ((1, 1), 3, 1.031),
        ((7, 2, 0), 5, 0.816),
        ((15, 4, 3, 0), 6, 1.048),
    ],
)
def test_other_masks_have_the_rematches_that_were_counted_for_them(
    masks: Sequence[int], first: int, expected: float
) -> None:
    assert counted(masks) == pytest.approx((first, expected), rel=5e-3)


def counted(masks: Sequence[int]) -> tuple[int, float]:
    """The first lower round in which two can meet again, and how many rematches even chances bring."""
    again = [*rematches(masks)]
    return min(number for number, _ in again), float(sum(chance for _, chance in again))


def test_the_bracket_sends_losers_where_the_count_of_rematches_has_them() -> None:
    seeds = [f"S{number}" for number in range(16)]
    for seed in range(40):
        rounds, before = list[Played](), set[frozenset[str]]()
        results = iter(Random(seed).choices((0, 1), k=31))
        while len(rounds) < 6:
            step = DoubleBracket(seeds, rounds, second_final=True).steps[len(rounds)]
            rounds.append(a_round(len(rounds) + 1, step, results))
            if len(rounds) <= 4:
                assert not {frozenset(pair) for pair in step.lower if None not in pair} & before
            before |= {frozenset(match.order) for match in rounds[-1].matches}


def test_places_that_only_the_seed_decided_say_so() -> None:
    state = cup("Ann Ben Cem Dana Eva Finn Gus Hal")
    while going_on(state):
        state = decided(state, level=True)
    told = {row_of(state, name).explanation for name in ("Ann", "Ben", "Eva")}
    by_seed = "by seed after a level match"
    assert {str(each).partition(". ")[0] for each in told} == {
        f"Won the final {by_seed}, against Ben",
        f"Second in the final {by_seed}, against Ann",
        f"Out in round 2 of the lower bracket {by_seed}, against Cem",
    }
    assert all(each.by_rule for each in settled(state, stage_of(state), 99).values())
    assert len(settled(state, stage_of(state), 99)) == 8


def test_only_the_match_that_put_one_out_says_how_it_was_decided() -> None:
    state = decided(cup("Ann Ben Cem Dana"), level=True)
    assert settled(state, stage_of(state), 99) == {}
    while going_on(state):
        state = decided(state)
    assert settled(state, stage_of(state), 99) == {}
