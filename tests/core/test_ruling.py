"""Rulings: ranks follow from scores unless they are given, and contradict them only for a reason."""

from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core.state.competition import Competition, Result
from league.core.verbs.rule import RuledSeat, SetResult
from tests.core.crosstable import after, published, standings, started, table_at
from tests.core.deciding import decide

FOUR = "Ann Ben Cem Dana"
NONE = (None,) * 4


def ruled(
    scores: tuple[int, ...], ranks: tuple[int | None, ...] = NONE, why: str = "", **announced: Any
) -> Competition:
    state = published(started(FOUR, **announced), FOUR)
    seats = tuple(
        RuledSeat(seat, score, rank) for seat, (score, rank) in enumerate(zip(scores, ranks, strict=True))
    )
    verb = SetResult(table_at(state, "Ann").id, seats[::-1], "seen by the arbiter", why)
    return after(state, *decide(state, verb))


def ranks_of(state: Competition) -> list[int]:
    ruling = table_at(state, "Ann").ruling
    assert isinstance(ruling, Result)
    return [placing.rank for placing in ruling.placings]


@pytest.mark.parametrize(
    ("scores", "low_wins", "ranks"),
    [
        ((7, 12, 7, -3), False, [2, 1, 2, 4]),
        ((7, 12, 7, -3), True, [2, 4, 2, 1]),
        ((5, 5, 5, 5), False, [1, 1, 1, 1]),
    ],
)
def test_ranks_are_made_from_the_scores(scores: tuple[int, ...], low_wins: bool, ranks: list[int]) -> None:
    assert ranks_of(ruled(scores, low_wins=low_wins)) == ranks


@pytest.mark.parametrize(
    ("ranks", "contradicts"),
    [
        ((1, 2, 3, 4), False),
        ((2, 1, 3, 4), True),
        ((1, 1, 3, 4), True),
        ((1, 2, 3, 3), False),
        ((1, 2, 4, 3), False),
        ((4, 4, 4, 4), True),
    ],
)
def test_ranks_against_the_scores_need_a_reason_of_their_own(
    ranks: tuple[int, ...], contradicts: bool
) -> None:
    scores = (9, 8, 7, 7)
    if contradicts:
        with pytest.raises(Illegal, match="According to the scores the ranks are 1, 2, 3, 3") as refusal:
            ruled(scores, ranks)
        assert [*refusal.value.errors] == ["against_scores"]
    assert ranks_of(ruled(scores, ranks, "a penalty" if contradicts else "")) == [*ranks]


def test_ranks_are_given_for_all_seats_or_for_none() -> None:
    with pytest.raises(Malformed, match="Give all ranks, or none"):
        ruled((9, 8, 7, 6), (1, None, 3, 4))


def test_a_ruled_table_counts_as_played() -> None:
    state = ruled((9, 8, 7, 6))
    assert table_at(state, "Ann").status == "played"
    assert standings(state)[0] == "Ann 3"
