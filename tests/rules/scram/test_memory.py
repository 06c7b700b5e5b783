"""What a seat goes on seeing of what it looked at, and what everybody sees of that (A4)."""

from typing import Any

import pytest

from games.rules.scram.moves import Options
from tests.rules.scram.notation import (
    SCRAM,
    act,
    begin,
    discard,
    draw,
    exchange,
    looked,
    play,
    seen,
    swap,
    table,
)

AIDED = Options(memory_aid=True)
FOUR = ("(1) (2) 3", "(4) 5 (6)", "(7) 8", "(9)")


def after_looking(options: Options | None = None) -> Any:
    """Seat 0 has looked at 0.1, 1.0, 2.0 and 3.0; seat 1 is in play."""
    return play(begin(table(*FOUR, options=options), "8"), act("0.1 1.0 2.0 3.0"))


def test_a4_a_look_stays_in_view_while_the_others_play() -> None:
    state = play(after_looking(), draw(), discard(), draw(), discard(), draw(), discard())
    assert seen(state, 0) == {"0.1": "2", "1.0": "4", "2.0": "7", "3.0": "9"}


def test_a4_a_look_is_gone_with_ones_own_next_move() -> None:
    state = play(after_looking(), draw(), discard(), draw(), discard(), draw(), discard(), draw())
    assert seen(state, 0) == {}
    assert looked(state) == set()


def test_a4_each_step_of_an_action_is_a_move_of_its_own() -> None:
    state = play(begin(table(*FOUR), "12"), act("0.0"), act("1.0"))
    assert seen(state, 0) == {"1.0": "4"}
    assert seen(play(state, exchange(True)), 0) == {}


def test_a4_with_the_memory_aid_a_look_stays_for_good() -> None:
    state = after_looking(AIDED)
    for _ in range(6):
        state = play(state, draw(), discard())
    assert seen(state, 0) == {"0.1": "2", "1.0": "4", "2.0": "7", "3.0": "9"}


def test_a4_team_mates_and_spectators_are_not_told() -> None:
    state = after_looking(AIDED)
    assert [seen(state, viewer) for viewer in (None, 1, 2, 3)] == [{}, {}, {}, {}]


def test_a4_everybody_sees_which_places_were_looked_at() -> None:
    assert looked(after_looking()) == {(0, "0.1"), (0, "1.0"), (0, "2.0"), (0, "3.0")}


FOLLOWED = [
    pytest.param(
        "11", [act("1.0 3.0")], {"1.0": "9", "3.0": "4"}, id="A4-through-an-exchange-of-two-it-knows"
    ),
    pytest.param("11", [act("1.0 0.0")], {"0.0": "4", "3.0": "9"}, id="A4-into-another-campsite"),
    pytest.param("11", [act("1.0 deck.0")], {"deck.0": "4", "3.0": "9"}, id="A4-onto-the-deck"),
    pytest.param(
        "12", [act("1.0 deck.1"), exchange(True)], {"deck.1": "4", "3.0": "9"}, id="A4-into-the-deck"
    ),
    pytest.param(
        "12", [act("1.0 deck.1"), exchange(False)], {"1.0": "4", "3.0": "9"}, id="A4-left-where-it-is"
    ),
    pytest.param(
        "9", [act(seat=1, cards=[1, 2], end="left")], {"1.1": "4", "3.0": "9"}, id="A4-along-the-row"
    ),
    pytest.param("9", [act(seat=1, cards=[0, 1], end="left")], {"3.0": "9"}, id="A4-not-onto-the-pile"),
    pytest.param("13", [act(seat=3, end="left")], {"1.0": "4", "3.1": "9"}, id="A4-moved-by-a-13"),
    pytest.param("10", [act("1.0 3.0")], {}, id="A4-not-when-everybody-sees-it"),
    pytest.param("1", [swap("1.0")], {"3.0": "9"}, id="A4-not-when-replaced"),
    pytest.param("1", [swap("1.1 3.0", end="left")], {"1.1": "4"}, id="A4-past-a-card-added-at-the-left"),
]


@pytest.mark.parametrize(("card", "moves", "expected"), FOLLOWED)
def test_a_card_is_followed(card: str, moves: list[dict[str, Any]], expected: dict[str, str]) -> None:
    state = play(begin(after_looking(), card), *moves)
    assert seen(state, 0) == {"0.1": "2", "2.0": "7", **expected}


def test_a4_a_known_card_is_followed_out_of_the_deck_and_into_a_campsite() -> None:
    state = play(begin(table(*FOUR), "6"), act("deck.0 deck.1"), draw())
    assert seen(state, 0) == {"drawn.1": "1", "deck.0": "2"}
    assert seen(play(state, swap("1.1")), 0) == {"1.1": "1", "deck.0": "2"}
    assert seen(play(state, discard()), 0) == {"deck.0": "2"}


@pytest.mark.parametrize(
    ("options", "known"),
    [
        pytest.param(Options(), {}, id="A4-forgotten-at-once"),
        pytest.param(AIDED, {"0.0": "6"}, id="A4-remembered-with-the-aid"),
    ],
)
def test_the_drawn_card_put_down_is(options: Options, known: dict[str, str]) -> None:
    state = begin(table(*FOUR, options=options), "6")
    assert seen(state, 0) == {}
    assert seen(play(state, swap("0.0")), 0) == known


def test_a4_cards_added_unseen_after_a_failed_match_are_unknown_to_all() -> None:
    state = play(begin(table("(1) 2 3", "4", "5", "6", options=AIDED), "6"), swap("0.0 0.1 0.2", end="right"))
    assert seen(state, 0) == {"0.3": "6"}


def test_a4_a_face_up_card_put_on_the_deck_was_seen_by_every_seat() -> None:
    state = play(begin(table(*FOUR), "11"), act("0.2 deck.0"))
    assert [seen(state, viewer) for viewer in (None, 0, 3)] == [{}, {"deck.0": "3"}, {"deck.0": "3"}]


def test_a4_a_new_deal_is_unknown_even_with_the_aid() -> None:
    state = play(begin(table(*FOUR, deck="", options=AIDED), "8"), act("0.1 1.0 2.0 3.0"))
    assert len(state.rows) == 1
    assert all(seen(state, viewer) == {} for viewer in range(4))


def test_a4_a_finished_games_replay_shows_who_knew_what() -> None:
    told: Any = SCRAM.everything(after_looking())
    assert {"by": 0, "target": {"seat": 1, "index": 0}, "card": "4"} in told["seen"]
    assert told["campsites"][3] == [{"up": False, "card": "9"}]
