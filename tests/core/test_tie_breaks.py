"""Tie-breaks, with a crosstable each: who is ahead, with which value and explanation."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import pytest

from games.engine.values import replace
from league.core.standings import ranking
from league.core.standings.tie_breaks import BY_KEY
from league.core.standings.tie_breaks.base import Accounts, trend_of
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Placing, Scoring, StagePlan
from league.core.verbs.adjustments import Adjusted
from league.core.verbs.presence import NoShow
from league.core.verbs.results import ResultRecorded, Voided, WalkedOver
from league.core.verbs.rulings import Ruled
from tests.core import deciding as commands
from tests.core.crosstable import (
    HEAD,
    after,
    name_of,
    placings,
    plan,
    played,
    published,
    result,
    results,
    row_of,
    standings,
    started,
    table_at,
)
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def broken_by(*keys: str, size: int = 2) -> StagePlan:
    return plan(table_size=size, tie_breaks=keys)


def order(state: Competition) -> str:
    return " ".join(row.split()[0] for row in standings(state))


# Duels      A  B  C  D
# Ann        -  1  0  1   2
# Ben        0  -  1  1   2
# Cem        1  0  -  0   1
# Dana       0  0  1  -   1
CIRCLE = ("Ann > Ben; Dana > Cem", "Cem > Ann; Ben > Dana", "Ann > Dana; Ben > Cem")


def test_head_to_head_compares_the_games_between_tied_entries() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), *CIRCLE)
    assert standings(state) == ["Ann 2", "Ben 2", "Dana 1", "Cem 1"]
    assert row_of(state, "Ben").decided_by == "head_to_head"
    assert (row_of(state, "Ann").tiebreaks, row_of(state, "Ben").tiebreaks) == (
        {"head_to_head": "1"},
        {"head_to_head": "0"},
    )


def test_head_to_head_is_skipped_where_some_have_not_met() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), "Ann > Ben; Cem > Dana")
    assert row_of(state, "Ann").tiebreaks == {"head_to_head": None}
    assert row_of(state, "Ann").decided_by is None


def test_head_to_head_is_applied_again_to_entries_still_tied() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), *CIRCLE)
    for name in ("Cem", "Dana"):
        state = after(state, Adjusted(uid(name), "1", "level with the leaders"))
    assert standings(state) == ["Ann 2", "Ben 2", "Dana 2", "Cem 2"]
    assert {row_of(state, name).decided_by for name in FOUR.split()} == {"head_to_head"}


def test_head_to_head_at_tables_of_four_counts_how_often_each_was_ahead() -> None:
    state = started(FOUR, broken_by("head_to_head", size=4))
    state = played(state, "Ann > Ben > Cem > Dana", "Ben > Cem > Ann > Dana", "Cem > Ann > Ben > Dana")
    assert {row_of(state, name).tiebreaks["head_to_head"] for name in ("Ann", "Ben", "Cem")} == {"1"}
    assert row_of(state, "Ann").decided_by is None
    assert row_of(after(state, *commands.draw_lots(state)), "Ann").decided_by == "lot"


@pytest.mark.parametrize(
    ("key", "rounds", "expected", "values"),
    [
        ("score_difference", ("Ann 9 > Ben 2", "Ben 5 > Ann 1"), "Ann Ben", ("3", "-3")),
        ("game_score", ("Ann 9 > Ben 2", "Ben 5 > Ann 1"), "Ann Ben", ("5", "7/2")),
        ("most_recent", ("Ann 9 > Ben 2", "Ben 5 > Ann 1"), "Ben Ann", ("0, 1", "1, 0")),
    ],
)
def test_a_tie_break_decides_between_two_tied_entries(
    key: str, rounds: tuple[str, ...], expected: str, values: tuple[str, ...]
) -> None:
    state = played(started("Ann Ben", broken_by(key)), *rounds)
    assert order(state) == expected
    assert tuple(row_of(state, name).tiebreaks[key] for name in ("Ann", "Ben")) == values


@pytest.mark.parametrize(
    ("key", "last", "value"), [("wins", "Ben", "-2/3"), ("places", "Ben", "-2/3, 4/3, -2/3")]
)
def test_a_first_and_a_last_place_beat_two_second_ones(key: str, last: str, value: str) -> None:
    state = started("Ann Ben Cem", broken_by(key, size=3))
    state = played(state, "Ann > Ben > Cem", "Cem > Ben > Ann")
    assert order(state).split()[-1] == last
    assert row_of(state, last).tiebreaks[key] == value


def test_the_lowest_scores_are_best_where_the_game_says_so() -> None:
    state = started("Ann Ben", broken_by("game_score"), low_wins=True)
    assert order(played(state, "Ann 2 > Ben 9", "Ben 1 > Ann 4")) == "Ann Ben"


# Swiss      1     2
# Ann        +B    +D    2
# Ben        -A    +C    1   met Ann 2 and Cem 1
# Cem        +D    -B    1   met Dana 0 and Ben 1
# Dana       -C    -A    0
@pytest.mark.parametrize(
    ("key", "bens", "cems"),
    [
        ("opponents_points", "3", "1"),
        ("opponents_points_cut", "2", "1"),
        ("opponents_points_median", "0", "0"),
        ("beaten_points", "1", "0"),
    ],
)
def test_opponents_points_favour_the_entry_with_stronger_opponents(key: str, bens: str, cems: str) -> None:
    state = played(started(FOUR, broken_by(key)), "Ann > Ben; Cem > Dana", "Ann > Dana; Ben > Cem")
    assert row_of(state, "Ben").tiebreaks[key] == bens
    assert row_of(state, "Cem").tiebreaks[key] == cems


# ---- Rounds of duels without a game (FIDE Handbook C.07, article 16) -----------------------------


def duels(**policies: Any) -> StagePlan:
    keys = ("opponents_points", "opponents_points_cut", "beaten_points", "wins")
    return plan(table_size=2, scoring=Scoring(**policies), tie_breaks=keys)


def values(state: Competition, name: str) -> str:
    """Opponents' points, the same without the lowest, Sonneborn-Berger and wins."""
    return " ".join(value or "-" for value in row_of(state, name).tiebreaks.values())


# Ann 1: met Ben with 1, and the void table counts like an absence: an opponent with the own point
@pytest.mark.parametrize(("scoring", "anns"), [(3, "2 1 1 1"), (2, "1 0 1 1")])
def test_a_void_duel_counts_as_an_opponent_with_the_own_points(scoring: int, anns: str) -> None:
    announced = replace(duels(), editions=Editions(1, 1, scoring))
    state = played(started(FOUR, announced), "Ann > Ben; Cem > Dana")
    state = published(state, "Ann > Cem; Ben > Dana")
    void = Voided(table_at(state, "Ann", "Cem").id, "a wrong pack")
    state = after(state, void, *results(state, "Ben > Dana"))
    assert values(state, "Ann") == anns


# Ann was first of three and is not punished for the wrong pack; before the third edition it was no round.
@pytest.mark.parametrize(
    ("key", "anns"), [("wins", "4/3"), ("places", "4/3, -2/3, -2/3"), ("score_difference", "12")]
)
def test_a_void_table_of_three_counts_as_the_average_of_the_own_results(key: str, anns: str) -> None:
    state = played(started("Ann Ben Cem", broken_by(key, size=3)), "Ann 9 > Ben 5 > Cem 1")
    state = published(state, "Ann > Ben > Cem")
    state = after(state, Voided(table_at(state, "Ann", "Ben").id, "a wrong pack"))
    assert row_of(state, "Ann").tiebreaks[key] == anns
    assert order(state) == "Ann Ben Cem"


# own 2 of 2 rounds: a bye counts as an opponent with half of the rounds, won
def test_a_bye_counts_as_an_opponent_who_drew_every_round() -> None:
    state = played(started("Ann Ben Cem", duels(bye="win")), "Ann > Ben", byes="Cem")
    state = played(state, "Cem > Ann", byes="Ben")
    assert values(state, "Cem") == "2 1 2 2"


def test_a_bye_counts_as_an_opponent_with_the_own_points_where_those_are_fewer() -> None:
    state = played(started("Ann Ben Cem", duels(bye="middle")), "Ann > Ben", byes="Cem")
    state = played(state, "Ann > Cem", byes="Ben")
    assert values(state, "Cem") == "5/2 2 1/4 0"


def walked_over(name: str) -> Competition:
    """Ann has a walkover over Ben in the first round; the given one wins the game between them then."""
    state = published(started("Ann Ben", duels()), "Ann > Ben")
    state = after(state, WalkedOver(table_at(state, "Ann").id, (uid("Ann"),)))
    other = "Ben" if name == "Ann" else "Ann"
    return played(after(state, *commands.close_round(state)), f"{name} > {other}")


def test_a_walkover_counts_as_the_opponent_but_with_no_more_than_the_own_points() -> None:
    assert values(walked_over("Ann"), "Ann") == "0 0 0 2"
    assert values(walked_over("Ben"), "Ann") == "2 1 1 1"


def test_the_game_that_an_entry_missed_is_cut_first() -> None:
    assert values(walked_over("Ann"), "Ben") == "2 2 0 0"
    assert values(walked_over("Ben"), "Ben") == "2 1 1 1"


def test_rounds_missed_at_the_end_count_as_draws_for_the_opponents() -> None:
    state = played(started(FOUR, duels()), "Ann > Ben; Cem > Dana")
    state = after(state, *commands.withdraw(state, entry=uid("Ben")))
    state = played(state, "Ann > Cem", byes="Dana")
    assert values(state, "Ann").split()[0] == "3/2"


def test_a_shared_win_is_no_win_in_duels() -> None:
    state = played(started(FOUR, broken_by("wins")), "Ann = Ben; Cem > Dana", "Ann = Cem; Ben > Dana")
    assert [row_of(state, name).tiebreaks["wins"] for name in FOUR.split()] == ["0", "1", "1", "0"]


def test_entries_level_on_everything_share_the_rank_until_lots_are_drawn() -> None:
    state = played(started(FOUR, broken_by()), "Ann > Ben; Cem > Dana")
    assert [row.rank for row in ranking.standings(state, 1)] == [1, 1, 3, 3]
    assert standings(state) == ["Ann 1", "Cem 1", "Ben 0", "Dana 0"]
    assert str(row_of(state, "Ann").explanation) == (
        "Level with Cem on 1 point; nothing separates them so far."
    )
    drawn = after(state, *commands.draw_lots(state))
    rows = ranking.standings(drawn, 1)
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    lots = drawn.stages[0].lots
    assert lots and [row.entry for row in rows] == sorted(
        lots.order, key=lambda entry: (-row_of(state, name_of(state, entry)).points, lots.order.index(entry))
    )


def test_lots_do_not_change_the_standings_of_earlier_rounds() -> None:
    state = played(started(FOUR, broken_by()), "Ann > Ben; Cem > Dana", "Ann > Cem; Ben > Dana")
    drawn = after(state, *commands.draw_lots(state))
    assert ranking.standings(drawn, 1, 1) == ranking.standings(state, 1, 1)


def test_the_value_of_a_tie_break_that_decided_is_never_missing() -> None:
    state = started("Ann Ben Cem Dana Eva Finn", broken_by("wins", "head_to_head"))
    state = played(state, "Ann > Ben; Cem > Dana; Eva = Finn", "Ben > Cem; Dana > Ann; Eva = Finn")
    state = after(state, Adjusted(uid("Cem"), "1/2", "a present"), Adjusted(uid("Dana"), "1/2", "a present"))
    for row in ranking.standings(state, 1):
        assert row.decided_by in (None, "lot") or row.tiebreaks[row.decided_by] is not None
    assert row_of(state, "Ben").decided_by == "head_to_head"


def test_adjustments_show_from_the_round_on_in_which_they_were_made() -> None:
    state = played(started("Ann Ben", broken_by()), "Ann > Ben", "Ann > Ben")
    state = after(state, Adjusted(uid("Ben"), "7", "a present"))
    state = played(state, "Ann > Ben")
    assert standings(state, through=1) == ["Ann 1", "Ben 0"]
    assert standings(state, through=2) == ["Ben 7", "Ann 2"]
    assert standings(state) == ["Ben 7", "Ann 3"]


def test_a_row_explains_its_rank_in_words() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), *CIRCLE)
    state = after(state, Adjusted(uid("Cem"), "-1/2", "came late"))
    assert [row_of(state, name).explanation for name in FOUR.split()] == [
        "Level with Ben on 2 points; ahead of Ben by head to head (1 to 0).",
        "Level with Ann on 2 points; behind Ann by head to head (0 to 1).",
        "Alone on 1/2 point.",
        "Alone on 1 point.",
    ]


def test_a_ruling_changes_the_tie_breaks_too() -> None:
    state = played(started("Ann Ben", broken_by("wins")), "Ann > Ben")
    ruling = Ruled(table_at(state, "Ann").id, placings("Ann = Ben"), "they agree")
    assert row_of(state, "Ann").tiebreaks == {"wins": "1"}
    assert row_of(after(state, ruling), "Ann").tiebreaks == {"wins": "0"}


def test_the_order_of_entering_changes_no_rank() -> None:
    one = played(started(FOUR, broken_by("wins")), "Ann > Ben; Cem > Dana")
    other = played(started("Dana Cem Ben Ann", broken_by("wins")), "Cem > Dana; Ann > Ben")
    for name in FOUR.split():
        assert row_of(one, name).rank == row_of(other, name).rank


# ---- Tables of different size --------------------------------------------------------------------

NAMES = ["Ann", "Ben", "Cem", "Dana", "Eva", "Finn"]
SIZES = range(3, 7)


@cache
def all_orders() -> Sequence[Accounts]:
    """Standings after a round at a table of four (Ann first) and one of three (Eva first), in every order.

    Scores are evenly spread: at a table of k the place p from the last has p parts of k + 1.
    """
    tables = (["Ann", "Ben", "Cem", "Dana"], ["Eva", "Finn", "Gus"])
    state = published(
        started("Ann Ben Cem Dana Eva Finn Gus", plan(table_size=4)), "; ".join(map(" ".join, tables))
    )
    return [
        ranking.accounts_of(ended, ended.stages[0], 1)
        for orders in product(*map(permutations, tables))
        for ended in [after(state, *(result_in(state, order) for order in orders))]
    ]


def result_in(state: Competition, order: Sequence[str]) -> ResultRecorded:
    table, parts = table_at(state, order[0]), 60 // (len(order) + 1)
    ranks = {uid(name): rank for rank, name in enumerate(order, 1)}
    placings = tuple(
        Placing(seat, ranks[entry], parts * (len(order) + 1 - ranks[entry]))
        for seat, entry in enumerate(table.entries)
    )
    return ResultRecorded(table.id, table.games[0].id, HEAD, "finished", placings)


@pytest.mark.parametrize("key", [key for key in BY_KEY if key != "lot"])
def test_equal_players_can_expect_as_much_at_a_short_table(key: str) -> None:
    def expected(name: str, other: str) -> list[Fraction]:
        marks = [BY_KEY[key].marks(accounts, [uid(name), uid(other)]) for accounts in all_orders()]
        keys = [each[uid(name)].key for each in marks if each]
        return [sum(column, Fraction(0)) / len(keys) for column in zip(*keys, strict=True)]

    assert expected("Ann", "Ben") == expected("Eva", "Finn") != []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["wins", "places", "score_difference"])
@pytest.mark.parametrize("sign", [" > ", " = "])
def test_what_a_table_adds_up_to_does_not_depend_on_its_size(size: int, key: str, sign: str) -> None:
    names = NAMES[:size]
    state = played(started(" ".join(names), broken_by(key, size=4)), sign.join(names))
    shown = [(row_of(state, name).tiebreaks[key] or "").split(", ") for name in names]
    for place in range(max(map(len, shown))):
        assert sum(Fraction(each[place]) for each in shown if place < len(each)) == 0


@pytest.mark.parametrize("size", SIZES)
def test_a_win_counts_one_less_what_equal_players_expect(size: int) -> None:
    names = NAMES[:size]
    state = played(started(" ".join(names), broken_by("wins", size=4)), " > ".join(names))
    shown = [row_of(state, name).tiebreaks["wins"] for name in names]
    assert shown == [str(1 - Fraction(1, size)), *[str(-Fraction(1, size))] * (size - 1)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["opponents_points", "opponents_points_cut", "opponents_points_median"])
def test_opponents_with_equal_points_count_alike_whatever_their_number(size: int, key: str) -> None:
    names = NAMES[:size]
    state = played(started(" ".join(names), broken_by(key, size=4)), " = ".join(names))
    assert row_of(state, "Ann").tiebreaks[key] == "3/2"


@pytest.mark.parametrize("key", ["opponents_points", "opponents_points_cut"])
def test_a_bye_at_bigger_tables_adds_no_opponent(key: str) -> None:
    names = "Ann Ben Cem Dana Eva"
    state = played(started(names, broken_by(key, size=4)), "Ann = Ben = Cem = Dana", byes="Eva")
    assert {row_of(state, name).tiebreaks[key] for name in names.split()} == {"3/2"}


@pytest.mark.parametrize("key", ["wins", "score_difference", "beaten_points"])
def test_a_bye_with_average_points_counts_as_the_average(key: str) -> None:
    state = started("Ann Ben Cem Dana Eva", broken_by(key, size=4))
    state = played(state, "Ann 9 > Ben 5 > Cem 4 > Dana 0", byes="Eva")
    without = plan(tie_breaks=(key,), scoring=Scoring(bye="none"))
    lone = played(started("Ann Ben Cem Dana", without), "Ann 9 > Ben 5 > Cem 4 > Dana 0")
    shown = [Fraction(row_of(lone, name).tiebreaks[key] or 0) for name in FOUR.split()]
    assert Fraction(row_of(state, "Eva").tiebreaks[key] or 0) == sum(shown) / 4


def test_the_line_of_least_squares_goes_through_the_average() -> None:
    trend = trend_of([(Fraction(x), Fraction(2 * x + 1)) for x in range(4)])
    assert trend.at(Fraction(10)) == 21
    assert trend_of([]).at(Fraction(1)) == 0


@pytest.mark.parametrize("size", range(2, 7))
def test_evenly_spread_scores_make_first_places_worth_the_same_at_any_table(size: int) -> None:
    names = NAMES[:size]
    scores = [840 * (size - at) // (size + 1) for at in range(size)]
    table = " > ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    state = played(started(" ".join(names), broken_by("score_difference", size=4)), table)
    assert row_of(state, "Ann").tiebreaks["score_difference"] == "336"


def test_a_no_show_has_no_part_in_the_score_difference_of_the_others() -> None:
    state = published(started(FOUR, broken_by("score_difference", size=4)), "Ann > Ben > Cem > Dana")
    table = table_at(state, "Ann")
    ended = result(table, "Ann 9 > Ben 5 > Cem 1 > Dana -60")
    state = after(state, ended, NoShow(table.id, uid("Dana")))
    shown = [row_of(state, name).tiebreaks["score_difference"] for name in ("Ann", "Ben", "Cem")]
    assert shown == [str(6 * Fraction(16, 15)), "0", str(-6 * Fraction(16, 15))]


def test_an_entry_alone_at_its_table_has_a_walkover_and_no_score_difference() -> None:
    state = published(started("Ann Ben", broken_by("score_difference")), "Ann > Ben")
    table = table_at(state, "Ann")
    state = after(state, result(table, "Ann 0 > Ben -60"), NoShow(table.id, uid("Ben")))
    row = row_of(state, "Ann")
    assert row.points == 1
    assert (row.played, row.tiebreaks["score_difference"]) == (0, "0")
