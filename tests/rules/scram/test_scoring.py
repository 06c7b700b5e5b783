"""Campsites, teams and rounds in points, and who has won (B15 to B18)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import replay
from games.engine.common_moves import Penalty, Resign, Timeout
from games.engine.replay import Actor
from games.rules.scram.cards import FACES, total
from games.rules.scram.moves import Options
from games.rules.scram.scoring import ranks, round_scores
from games.rules.scram.state import Row
from tests.rules.randomplay import opened
from tests.rules.scram.notation import SCRAM, SCRAMS, discard, draw, play, table


@given(st.lists(st.sampled_from(FACES), max_size=12))
def test_b15_equals_is_worth_what_the_lowest_number_in_its_place_would_be(cards: list[str]) -> None:
    lowest = min((int(card) for card in cards if card != "="), default=0)
    assert total(cards) == sum(lowest if card == "=" else int(card) for card in cards)


@pytest.mark.parametrize(
    ("sums", "scram", "penalties", "scores"),
    [
        pytest.param((5, 3, 6, 4), None, (), (11, 7, 11, 7), id="B16-without-scram"),
        pytest.param((5, 3, 6, 4), 1, (), (11, 0, 11, 0), id="B16-lower"),
        pytest.param((5, 5, 6, 6), 2, (), (0, 11, 0, 11), id="B16-level"),
        pytest.param((5, 3, 6, 4), 0, (), (21, 7, 21, 7), id="B16-higher"),
        pytest.param((9, 4, 4), 0, (), (19, 8, 8), id="B16-solo-lost"),
        pytest.param((8, 4, 4), 2, (), (8, 0, 0), id="B16-duo-level"),
        pytest.param((1, 2, 1, 2, 1, 2), 5, (), (3, 16, 3, 16, 3, 16), id="B16-six"),
        pytest.param((5, 3, 6, 4), None, (20, 0, 0, 0), (31, 7, 31, 7), id="B18-a-penalty-is-the-teams"),
        pytest.param((5, 3, 6, 4), 1, (0, 0, 0, 20), (11, 20, 11, 20), id="B18-and-comes-after-scram"),
        pytest.param((5, 3, 6, 4), None, (0, -5, 0, 0), (11, 2, 11, 2), id="B18-a-bonus"),
    ],
)
def test_a_round_is_scored(
    sums: tuple[int, ...], scram: int | None, penalties: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    assert round_scores(sums, scram, penalties or (0,) * len(sums)) == scores


def rows(first_team: str, second_team: str, seats: int) -> tuple[Row, ...]:
    """Return rounds with these scores of the teams."""
    teams, nothing = SCRAM.teams(seats), (0,) * seats
    pairs = zip(first_team.split(), second_team.split(), strict=True)
    return tuple(
        Row(0, None, "deck", nothing, nothing, tuple(int(pair[team]) for team in teams), ()) for pair in pairs
    )


@pytest.mark.parametrize(
    ("ours", "theirs", "ranked"),
    [
        pytest.param("5 6 7 8", "9 9 9 9", (1, 3, 1, 3), id="B17-lowest-wins"),
        pytest.param("9 9 9 9", "9 9 9 8", (3, 1, 3, 1), id="B17-by-one-point"),
        pytest.param("5 5 9 1", "5 5 1 9", (1, 3, 1, 3), id="B17-level-the-last-round"),
        pytest.param("7 2 5 5", "2 7 5 5", (1, 3, 1, 3), id="B17-level-the-round-before"),
        pytest.param("2 7 5 5", "7 2 5 5", (3, 1, 3, 1), id="B17-level-and-so-on"),
        pytest.param("2 7 5 5", "2 7 5 5", (3, 3, 3, 3), id="B17-level-in-all-nobody-wins"),
    ],
)
def test_four_campers_are_ranked(ours: str, theirs: str, ranked: tuple[int, ...]) -> None:
    assert ranks(rows(ours, theirs, 4), (0,) * 4) == ranked


@pytest.mark.parametrize(
    ("ours", "theirs", "seats", "ranked"),
    [
        pytest.param("5 6 7", "9 9 9", 6, (1, 4, 1, 4, 1, 4), id="B17-six-campers"),
        pytest.param("5 5 5", "5 5 5", 6, (4, 4, 4, 4, 4, 4), id="B17-six-campers-all-lose"),
        pytest.param("5 6 7", "9 9 1", 3, (1, 2, 2), id="B17-the-solo-lower"),
        pytest.param("9 9 9", "5 6 7", 3, (3, 1, 1), id="B17-the-duo-lower"),
        pytest.param("5 5 9", "9 5 5", 3, (1, 2, 2), id="B17-level-the-solo-wins"),
        pytest.param("5 5 5", "5 5 5", 3, (1, 2, 2), id="B17-level-in-all-the-solo-wins"),
    ],
)
def test_other_tables_are_ranked(ours: str, theirs: str, seats: int, ranked: tuple[int, ...]) -> None:
    assert ranks(rows(ours, theirs, seats), (0,) * seats) == ranked


def test_b16_scores_are_each_seats_teams_total() -> None:
    state = replace(table("1", "1", "1", "1"), rows=rows("5 6", "9 9", 4))
    assert SCRAM.scores(state) == (11, 18, 11, 18)


@pytest.mark.parametrize(
    ("campsites", "scores", "name", "points"),
    [
        pytest.param(("(1) (2)", "3 4", "5", "(1)"), [0, 8, 0, 8], "scram_won", -8, id="B16-scram-won"),
        pytest.param(("(1) (9)", "3 4", "5", "(1)"), [25, 8, 25, 8], "scram_lost", 10, id="B16-scram-lost"),
    ],
)
def test_a_round_ends_with_scram(
    campsites: tuple[str, ...], scores: list[int], name: str, points: int
) -> None:
    before = play(table(*campsites), SCRAMS, *[draw(), discard()] * 2, draw())
    state = play(before, discard())
    row: Any = SCRAM.sheet(state)[0]
    assert row["scores"] == scores
    (adjustment,) = row["adjustments"]
    why = adjustment.pop("why")
    assert adjustment == {"seat": 0, "name": name, "points": points, "rule": "B16"}
    assert SCRAM.consequences(before, state) == [f"{why} (B16)"]
    assert state.table.known == (frozenset(),) * 4


def test_b18_a_penalty_is_scored_with_its_round() -> None:
    state = SCRAM.penalise(table("1", "2", "3", "4", deck="5"), 3, 20)
    assert SCRAM.view(state, None)["penalties"] == [0, 0, 0, 20]
    assert SCRAM.view(state, None)["scores"] == [0, 20, 0, 20]
    after: Any = play(state, draw(), discard())
    assert SCRAM.scores(after) == (4, 26, 4, 26)
    assert SCRAM.view(after, None)["penalties"] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("seats", "leavers", "fined", "scores"),
    [
        pytest.param(4, [1, 3], 1, [0, 20, 0, 20], id="B18-of-the-team-that-leaves"),
        pytest.param(4, [1, 3], 2, [20, 0, 20, 0], id="B18-of-the-team-that-stays"),
        pytest.param(3, [0], 0, [20, 0, 0], id="B18-of-the-solo"),
        pytest.param(6, [0, 2, 4], 5, [0, 20, 0, 20, 0, 20], id="B18-of-one-of-three"),
    ],
)
def test_a_penalty_stands_where_leavers_end_the_game(
    seats: int, leavers: list[int], fined: int, scores: list[int]
) -> None:
    position = replay.played(opened(SCRAM, seats, 1), Actor("arbiter"), Penalty(fined, 20, "Told a card."))
    for seat in leavers:
        position = replay.played(position, Actor("seat", seat), Resign())
        while due := replay.due(position):
            position = replay.played(position, *due)
    result = replay.result(position)
    assert result is not None
    assert [placing.score for placing in result.seats] == scores
    assert replay.view(position, None)["scores"] == scores


def test_b18_a_penalty_counts_once_when_the_last_round_is_over() -> None:
    state = SCRAM.penalise(table("1", "2", "3", "4", deck="5", options=Options(rounds=1)), 3, 20)
    after: Any = play(state, draw(), discard())
    assert (SCRAM.is_over(after), SCRAM.scores(after)) == (True, (4, 26, 4, 26))
    assert SCRAM.sheet(after)[0]["penalties"] == [0, 0, 0, 20]


def test_b18_a_penalty_can_cost_the_lead() -> None:
    leading = replace(table("1", "1", "1", "1"), rows=rows("5 6", "9 9", 4))
    assert SCRAM.ranks(SCRAM.penalise(leading, 2, 8)) == (3, 1, 3, 1)


@pytest.mark.parametrize(
    ("seats", "leavers", "ranked"),
    [
        pytest.param(4, [1, 3], [1, 3, 1, 3], id="B2-a-whole-pair"),
        pytest.param(3, [0], [3, 1, 1], id="B2-the-solo"),
        pytest.param(3, [2, 1], [1, 2, 2], id="B2-the-duo"),
        pytest.param(6, [4, 0, 2], [4, 1, 4, 1, 4, 1], id="B2-a-whole-three"),
    ],
)
def test_a_team_that_has_left_loses_to_the_other(seats: int, leavers: list[int], ranked: list[int]) -> None:
    position = opened(SCRAM, seats, 1)
    for seat in leavers:
        position = replay.played(position, Actor("seat", seat), Resign())
        while due := replay.due(position):
            position = replay.played(position, *due)
    result = replay.result(position)
    assert result is not None
    assert [placing.rank for placing in result.seats] == ranked


def test_b2_a_team_with_a_camper_left_ranks_by_its_score() -> None:
    position = replay.played(opened(SCRAM, 4, 1), Actor("seat", 1), Resign())
    while position.status == "active":
        actor, move = replay.due(position) or (Actor("clock", replay.awaited(position)[0]), Timeout())
        position = replay.played(position, actor, move)
    result = replay.result(position)
    assert result is not None
    scores = [placing.score for placing in result.seats]
    assert [placing.rank for placing in result.seats] == [
        1 if score == min(scores) else 3 for score in scores
    ]
