"""What a seat goes on seeing of what it looked at, and what everybody sees of that (A4)."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine import replay
from games.engine.common_moves import Forfeit, Penalty, Resign, Timeout
from games.engine.replay import Actor
from games.rules.scram.moves import Draw, Options
from games.rules.scram.state import State
from tests.rules.randomplay import opened
from tests.rules.recording import with_state
from tests.rules.scram.notation import (
    SCRAM,
    act,
    begin,
    discard,
    draw,
    exchange,
    looked,
    named,
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


ONE_BY_ONE = [
    pytest.param(
        "7", [act("0.0"), act("1.0"), act("1.2")], {"0.0": "1", "1.0": "4", "1.2": "6"}, id="A4-of-a-7"
    ),
    pytest.param("8", [act("deck.1"), act("deck.0")], {"deck.0": "1", "deck.1": "2"}, id="A4-half-of-an-8"),
    pytest.param("12", [act("0.0"), act("1.0")], {"0.0": "1", "1.0": "4"}, id="A4-before-the-exchange"),
    pytest.param(
        "12", [act("0.0 1.0"), exchange(False)], {"0.0": "1", "1.0": "4"}, id="A4-after-no-exchange"
    ),
    pytest.param("12", [act("0.0"), act("0.1")], {"0.0": "1", "0.1": "2"}, id="A4-of-one-campsite"),
]


@pytest.mark.parametrize(("card", "moves", "expected"), ONE_BY_ONE)
def test_the_looks_of_one_action_stay_in_view_together(
    card: str, moves: list[dict[str, Any]], expected: dict[str, str]
) -> None:
    assert seen(play(begin(table(*FOUR), card), *moves), 0) == expected


ENTRIES_FOR_SEAT_0 = [
    pytest.param("forfeit", Actor("arbiter"), Forfeit(0), id="A4-by-being-taken-out"),
    pytest.param("system", Actor("system", 0), Draw("deck"), id="A4-by-the-system"),
]


@pytest.mark.parametrize(("kind", "actor", "move"), ENTRIES_FOR_SEAT_0)
def test_any_later_entry_for_the_seat_hides_a_look(kind: str, actor: Actor, move: Any) -> None:
    position = with_state(opened(SCRAM, 4, 1), after_looking())
    if kind in ("timeout", "system"):
        state = play(position.state, *[draw(), discard()] * 3)
        position = replace(position, state=state, out=(0,) if kind == "system" else ())
        assert seen(state, 0) == {"0.1": "2", "1.0": "4", "2.0": "7", "3.0": "9"}
    after = replay.played(position, actor, move).state
    assert seen(after, 0) == {}
    assert not any(by == 0 for by, _ in looked(after))


def test_a4_leaving_in_the_middle_of_an_action_hides_nothing_before_it_is_over() -> None:
    position = with_state(opened(SCRAM, 4, 1), play(begin(table(*FOUR), "7"), act("0.0")))
    position = replay.played(position, Actor("seat", 0), Resign())
    while due := replay.due(position):
        position = replay.played(position, *due)
    assert seen(position.state, 0) == {"0.0": "1", "0.1": "2", "1.0": "4"}


def test_a4_what_the_clock_looks_at_for_a_seat_stays_with_what_it_had_seen() -> None:
    position = with_state(opened(SCRAM, 4, 1), play(begin(table(*FOUR), "7"), act("1.2")))
    timed_out = replay.played(position, Actor("clock", 0), Timeout())
    assert seen(timed_out.state, 0) == {"0.0": "1", "0.1": "2", "1.2": "6"}


def test_a4_entries_for_others_and_rulings_hide_nothing() -> None:
    position = with_state(opened(SCRAM, 4, 1), after_looking())
    for actor, move in (
        (Actor("arbiter"), Penalty(0, 5, "Told a card.")),
        (Actor("clock", 1), Timeout()),
        (Actor("seat", 2), Resign()),
    ):
        position = replay.played(position, actor, move)
        assert seen(position.state, 0) == {"0.1": "2", "1.0": "4", "2.0": "7", "3.0": "9"}


PAST = [
    pytest.param(Options(), 0, {}, id="A4-forgotten"),
    pytest.param(AIDED, 0, {"0.1": "2", "1.0": "4", "2.0": "7", "3.0": "9"}, id="A4-followed-with-the-aid"),
    pytest.param(AIDED, 1, {}, id="A4-not-anothers"),
    pytest.param(AIDED, None, {}, id="A4-not-a-spectators"),
]


@pytest.mark.parametrize(("options", "viewer", "expected"), PAST)
def test_the_past_shows_only_what_is_known_now(
    options: Options, viewer: int | None, expected: dict[str, str]
) -> None:
    then = after_looking(options)
    now = play(then, *[draw(), discard()] * 3, draw())
    assert past_seen(then, now, viewer) == expected


def past_seen(past: State, now: State, viewer: int | None) -> dict[str, str]:
    """Return what a view of the past shows as seen, by place."""
    answer: Any = SCRAM.past_view(past, now, viewer)
    return {named(entry["target"]): entry["card"] for entry in answer["seen"]}


def test_a4_the_past_shows_a_look_as_long_as_the_view_of_now_does() -> None:
    then = play(begin(table(*FOUR), "12"), act("0.0 1.0"))
    assert past_seen(then, play(then, exchange(True)), 0) == {"0.0": "1", "1.0": "4"}


def test_a4_the_past_shows_a_drawn_card_only_while_the_seat_holds_it() -> None:
    drawn = begin(table(*FOUR), "7")
    assert [SCRAM.past_view(drawn, drawn, viewer)["drawn"] for viewer in (0, 1)] == ["7", None]
    assert SCRAM.past_view(drawn, play(drawn, swap("0.0")), 0)["drawn"] is None


def test_a4_nothing_of_an_earlier_round_is_shown_again() -> None:
    then = play(begin(table(*FOUR, deck="1", options=AIDED), "6"), act("0.0 0.1"))
    now = play(then, draw(), discard())
    assert len(now.rows) == 1
    assert past_seen(then, now, 0) == {}


def test_a4_the_past_still_says_who_looked_where() -> None:
    then = after_looking()
    answer: Any = SCRAM.past_view(then, play(then, *[draw(), discard()] * 3, draw()), 0)
    assert {named(each["target"]) for each in answer["looked"]} == {"0.1", "1.0", "2.0", "3.0"}


def test_a4_with_the_memory_aid_a_look_stays_for_good() -> None:
    state = after_looking(AIDED)
    for _ in range(6):
        state = play(state, draw(), discard())
    assert seen(state, 0) == {"0.1": "2", "1.0": "4", "2.0": "7", "3.0": "9"}


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
    answer: Any = SCRAM.everything(after_looking())
    assert {"by": 0, "target": {"seat": 1, "index": 0}, "card": "4"} in answer["seen"]
    assert answer["campsites"][3] == [{"up": False, "card": "9"}]
