"""Tie-breaks, with a crosstable each: who is ahead, with which value and explanation."""

import pytest

from league.core.state.competition import Competition
from league.core.state.plan import Scoring, StagePlan
from league.core.verbs.adjust import Adjusted
from league.core.verbs.enter import Entered
from league.core.verbs.rule import Ruled
from league.core.verbs.walk_over import WalkedOver
from tests.core.crosstable import after, placings, plan, played, row_of, standings, started, table_at
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
    assert row_of(state, "Ann").decided_by == "lot"


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
    assert row_of(state, "Ann").decided_by == "lot"


@pytest.mark.parametrize(
    ("key", "rounds", "expected", "values"),
    [
        ("score_difference", ("Ann 9 > Ben 2", "Ben 5 > Ann 1"), "Ann Ben", ("3", "-3")),
        ("game_score", ("Ann 9 > Ben 2", "Ben 5 > Ann 1"), "Ann Ben", ("10", "7")),
        ("most_recent", ("Ann 9 > Ben 2", "Ben 5 > Ann 1"), "Ben Ann", ("0, 1", "1, 0")),
    ],
)
def test_a_tie_break_decides_between_two_tied_entries(
    key: str, rounds: tuple[str, ...], expected: str, values: tuple[str, ...]
) -> None:
    state = played(started("Ann Ben", broken_by(key)), *rounds)
    assert order(state) == expected
    assert tuple(row_of(state, name).tiebreaks[key] for name in ("Ann", "Ben")) == values


@pytest.mark.parametrize(("key", "last", "value"), [("wins", "Ben", "0"), ("places", "Ben", "0, 2")])
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


def test_a_bye_counts_as_an_opponent_with_the_entrys_own_points() -> None:
    byes = plan(table_size=2, scoring=Scoring(bye="win"), tie_breaks=("opponents_points",))
    state = played(started("Ann Ben Cem", byes), "Ann > Ben", byes="Cem")
    assert row_of(state, "Cem").tiebreaks == {"opponents_points": "1"}


def test_a_bye_at_tables_of_four_counts_as_three_such_opponents() -> None:
    byes = plan(scoring=Scoring(bye="win"), tie_breaks=("opponents_points",))
    state = played(started("Ann Ben Cem Dana Eva", byes), "Ann > Ben > Cem > Dana", byes="Eva")
    assert row_of(state, "Eva").tiebreaks == {"opponents_points": "9"}


def test_a_walkover_does_not_count_as_a_win() -> None:
    state = played(started(FOUR, broken_by("wins")), "Ann > Ben; Cem > Dana")
    state = after(state, WalkedOver(table_at(state, "Ann").id, (uid("Ann"),)))
    assert row_of(state, "Ann").tiebreaks == {"wins": "0"}


def test_lots_decide_last_and_a_late_entry_does_not_change_them() -> None:
    state = played(started(FOUR, broken_by()), "Ann = Ben; Cem = Dana")
    late = after(state, Entered(uid("Eva"), "Eva", (uid("player Eva"),), from_round=2))
    assert [row for row in standings(late) if "Eva" not in row] == standings(state)


def test_a_row_explains_its_rank_in_words() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), *CIRCLE)
    state = after(state, Adjusted(uid("Cem"), "-1/2", "came late"))
    assert [row_of(state, name).explanation for name in FOUR.split()] == [
        "Level with Ben on 2 points; ahead of Ben by results against each other (1 to 0).",
        "Level with Ann on 2 points; behind Ann by results against each other (0 to 1).",
        "Alone on 1/2 point.",
        "Alone on 1 point.",
    ]


def test_a_ruling_changes_the_tie_breaks_too() -> None:
    state = played(started("Ann Ben", broken_by("wins")), "Ann > Ben")
    ruling = Ruled(table_at(state, "Ann").id, placings("Ann = Ben"), "they agree")
    assert row_of(after(state, ruling), "Ann").tiebreaks == {"wins": "1/2"}


def test_the_order_of_entering_changes_nothing() -> None:
    one = played(started(FOUR, broken_by("wins")), "Ann = Ben; Cem = Dana")
    other = played(started("Dana Cem Ben Ann", broken_by("wins")), "Cem = Dana; Ann = Ben")
    assert order(one) == order(other)
