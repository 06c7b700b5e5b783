"""How rounds and games end, what they score, and what the clock plays (C11 to C13, house limits)."""

from typing import Any

import pytest

from games.rules.scoops.moves import Options
from games.rules.scoops.rounds import ended
from games.rules.scoops.state import State
from tests.rules.scoops.tables import SCOOPS, groups, play, table, with_melds

BOWL = "2C 2D 2H 5S 6S 7S KC KD KS"
WIN: dict[str, Any] = {"type": "lay_down", "groups": groups("book 2C 2D 2H + run 5S 6S 7S + book KC KD KS")}


def won(special: str | None = None, **options: Any) -> State:
    return play(table("Bowl", "Vanilla", special, BOWL, options=Options(**options)), 0, **WIN)


@pytest.mark.parametrize(
    ("special", "scores"),
    [
        pytest.param(None, (1, 0), id="C12-one-point"),
        pytest.param("2", (2, 0), id="C11-a-scoop"),
        pytest.param("5", (1, 0), id="C11-a-special-in-a-run"),
    ],
)
def test_the_winner_of_a_round_scores(special: str | None, scores: tuple[int, ...]) -> None:
    state = won(special)
    assert state.rows[0].scores == SCOOPS.scores(state) == scores


def test_c11_two_scoops_pay_two_more() -> None:
    hand = "2C 2D 2H 2S 2C 2D KC KD KS"
    laid = groups("book 2C 2D 2H + book 2S 2C 2D + book KC KD KS")
    state = play(table("Bowl", "Vanilla", "2", hand), 0, type="lay_down", groups=laid)
    assert SCOOPS.scores(state) == (3, 0)


def test_c11_what_others_float_onto_a_scoop_takes_nothing_from_it() -> None:
    state = table("Float", "Raspberry", "2", "KC KD JK 9S", "9C 9D 9H 3C")
    state = with_melds(state, (1, "book 2C 2D 2H"), (0, "book 4C 4D 4S"))
    state = play(state, 0, type="float", meld=0, cards=["JK"])
    state = play(play(state, 0, type="discard", card="KC"), 1, type="draw", source="deck")
    assert ended(state, "meld", 1).rows[0].scores == (0, 2)


def test_the_highest_score_ranks_first() -> None:
    state = table("Bowl", "Vanilla", None, "2C", "2C", "2C", penalties=(1, -1, 1))
    assert SCOOPS.ranks(state) == (1, 3, 1)


def test_c13_a_turn_that_has_begun_is_played_to_its_end() -> None:
    state = table("Bowl", "Vanilla", None, BOWL, deck="")
    assert play(state, 0, **WIN).rows[0].winner == 0


@pytest.mark.parametrize(
    ("turn", "limit", "over"),
    [
        pytest.param(2, 1, True, id="house-one-turn-each"),
        pytest.param(1, 1, False, id="house-the-other-seat-has-its-turn"),
        pytest.param(6, 3, True, id="house-three-turns-each"),
        pytest.param(5, 3, False, id="house-one-turn-left"),
    ],
)
def test_the_limit_of_turns_is_counted_for_each_seat(turn: int, limit: int, over: bool) -> None:
    state = table(turn=turn, options=Options(turn_limit=limit))
    state = play(state, 0, type="discard", card="2C")
    assert [row.ending for row in state.rows] == (["turns"] if over else [])


def test_a_penalty_counts_in_the_row_of_its_round() -> None:
    state = SCOOPS.penalise(table("Bowl", "Vanilla", None, BOWL), 1, -2)
    assert SCOOPS.scores(state) == (0, -2)
    state = play(state, 0, **WIN)
    assert (state.rows[0].scores, state.rows[0].penalties) == ((1, -2), (0, -2))
    assert SCOOPS.scores(state) == (1, -2)


def test_a_penalty_ends_no_game_before_its_round_has_ended() -> None:
    state = SCOOPS.penalise(table("Bowl", "Vanilla", None, BOWL), 1, 5)
    assert not SCOOPS.is_over(state)
    state = play(state, 0, **WIN)
    assert SCOOPS.is_over(state)
    assert SCOOPS.ranks(state) == (2, 1)


def test_turns_are_numbered_upwards_over_rounds() -> None:
    first = table(deck="9C")
    second = play(first, 0, type="discard", card="2C")
    third = play(play(second, 1, type="draw", source="deck"), 1, type="discard", card="2C")
    assert third.round.number == 2
    assert SCOOPS.turn_number(first) < SCOOPS.turn_number(second) < SCOOPS.turn_number(third)


def test_choices_of_a_turn_that_is_anothers_are_none() -> None:
    assert SCOOPS.choices(table(), 1) == ()


def test_a_winning_lay_down_is_offered_with_its_bonus() -> None:
    state = table("Bowl", "Vanilla", "3", "2C 2D 2H 3C 3D 3H 4C 4D 4H")
    lay_down, _ = SCOOPS.choices(state, 0)
    (laid,) = lay_down.fields["groups"].values
    assert play(state, 0, type="lay_down", groups=laid).rows[0].scores == (2, 0)
