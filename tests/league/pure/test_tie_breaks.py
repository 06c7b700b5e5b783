"""Tie-breaks, one crosstable each: who is ahead, with which value, and what the row says about it."""

import pytest

from league.competition import events as e
from tests.league.pure.crosstable import (
    after,
    plan,
    played,
    row_of,
    standings,
    started,
    table_at,
)

FOUR = "Ann Ben Cem Dana"
DUELS = plan(table_size=2)


def broken_by(*keys: str, size: int = 2) -> e.StagePlan:
    return plan(table_size=size, tie_breaks=keys)


# Duels      A  B  C  D
# Ann        -  1  0  1   2
# Ben        0  -  1  1   2
# Cem        1  0  -  0   1
# Dana       0  0  1  -   1
CIRCLE = ("Ann > Ben; Dana > Cem", "Cem > Ann; Ben > Dana", "Ann > Dana; Ben > Cem")


def test_head_to_head_asks_who_won_between_those_level() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), *CIRCLE)
    assert standings(state) == ["Ann 2", "Ben 2", "Dana 1", "Cem 1"]
    assert row_of(state, "Ben").decided_by == "head_to_head"
    assert row_of(state, "Ann").tiebreaks == {"head_to_head": "1"}


def test_head_to_head_is_not_asked_where_some_have_not_met() -> None:
    state = played(started(FOUR, broken_by("head_to_head")), "Ann > Ben; Cem > Dana")
    assert row_of(state, "Ann").tiebreaks == {"head_to_head": None}
    assert row_of(state, "Ann").decided_by == "lot"


def test_head_to_head_is_asked_again_among_those_it_leaves_level() -> None:
    # Ann and Ben 3/2 against Cem 0; then Ann and Ben drew, and wins decide.
    three = broken_by("head_to_head", "wins", size=2)
    state = played(started(FOUR, three), "Ann = Ben; Cem > Dana", "Ann > Cem; Dana > Ben")
    state = played(state, "Ben > Cem; Dana > Ann")
    state = after(state, e.Adjusted(state.entries[2].id, "1/2", "a present"))
    level = [row for row in standings(state) if row.endswith("3/2")]
    assert level[-1] == "Cem 3/2"


def test_head_to_head_at_tables_of_four_asks_who_finished_ahead() -> None:
    state = started(FOUR, broken_by("head_to_head", size=4))
    state = played(state, "Ann > Ben > Cem > Dana", "Ben > Cem > Ann > Dana", "Cem > Ann > Ben > Dana")
    assert {row_of(state, name).tiebreaks["head_to_head"] for name in ("Ann", "Ben", "Cem")} == {"1"}


@pytest.mark.parametrize(
    ("key", "rounds", "ahead", "values"),
    [
        ("wins", ("Ann > Ben > Cem > Dana", "Dana > Ben > Cem > Ann"), "Dana", ("1", "1")),
        ("wins", ("Ann > Ben = Cem > Dana", "Ben > Dana > Ann > Cem"), "Ben", ("1", "1")),
        ("places", ("Ann > Ben > Cem > Dana", "Cem > Ben > Dana > Ann"), "Ben", ("0, 2", "0, 2")),
        ("score_difference", ("Ann 9 > Ben 2 > Cem 1 > Dana 0", "Dana 5 > Cem 2 > Ben 1 > Ann 0"), "Ann", ()),
        ("game_score", ("Ann 9 > Ben 2 > Cem 1 > Dana 0", "Dana 5 > Cem 2 > Ben 1 > Ann 0"), "Ann", ()),
    ],
)
def test_a_tie_break_decides_between_those_level_on_points(
    key: str, rounds: tuple[str, ...], ahead: str, values: tuple[str, ...]
) -> None:
    state = played(started(FOUR, broken_by(key, size=4)), *rounds)
    level = [row for row in standings(state) if row.split()[1] == standings(state)[0].split()[1]]
    assert ahead in {row.split()[0] for row in level}
