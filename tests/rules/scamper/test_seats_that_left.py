"""How long a turn may be challenged, and who answers going out, where seats have left (S30)."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine import replay
from games.engine.chance import commitment
from games.engine.common_moves import Forfeit, Resign
from games.engine.replay import Actor, Opening, Position
from tests.rules.recording import with_state
from tests.rules.scamper.tables import SCAMPER, given, groups, hand, melds, on_table, play, table
from tests.rules.scamper.tables import discard as put_down

SECRET = bytes(32)
HELD = "7C 9C KD 3C"
WRONG = "set 7C 9C KD"


def position(*hands: str, out: tuple[int, ...] = (), **changes: Any) -> Position:
    """Return a position of the challenge game in which seat 0 is about to lay, and others have left."""
    given_options = changes.pop("options", {})
    options = {"melds": "challenge", "declare_scamper": False, "passing": "off", **given_options}
    state = table(*hands, options=options, **{"down": (), "rounds": 2, **changes})
    filled = SCAMPER.write_options(state.options)
    opening = Opening(SCAMPER.name, filled, (None,) * len(hands), False, commitment(SECRET), {})
    return with_state(left(replay.opened(SCAMPER, opening, SECRET), *out), replace(state, out=out))


def left(before: Position, *seats: int) -> Position:
    for seat in seats:
        before = replay.played(before, Actor("arbiter"), Forfeit(seat))
    return before


def moved(before: Position, seat: int, kind: str, **fields: Any) -> Position:
    """Return the position after a move, and after those that follow for seats that have left."""
    after = replay.played(before, Actor("seat", seat), SCAMPER.read_move({"type": kind, **fields}))
    while due := replay.due(after):
        after = replay.played(after, *due)
    return after


def four(*out: int, hands: str = "8H KC 4S", **changes: Any) -> Position:
    """Return the position after the first of four seats laid nonsense and discarded."""
    before = moved(position(f"{HELD} 5D", *[hands] * 3, out=out, **changes), 0, "meld", melds=groups(WRONG))
    return moved(before, 0, "discard", card="3C")


def test_s30_the_window_stays_open_while_nobody_but_the_system_moves() -> None:
    after = four(1)
    assert (after.state.round.seat, replay.awaited(after), replay.to_act(after)) == (2, (2,), (2, 3))
    caught = moved(after, 3, "challenge").state
    assert given(caught) == [(0, "wrong_meld", 50)]
    assert (hand(caught), on_table(caught)) == ("5D 7C 9C KD", [])
    assert caught.round.discards[-2:] == ("3C", "6D")


def test_s30_two_seats_in_a_row_may_have_left() -> None:
    after = four(1, 2)
    assert replay.to_act(after) == (3,)
    assert given(moved(after, 3, "challenge").state) == [(0, "wrong_meld", 50)]


def test_s30_the_first_move_of_the_next_seat_that_stays_closes_it() -> None:
    after = moved(four(1), 2, "take")
    assert replay.to_act(after) == (2,)
    assert on_table(after.state) == [f"0 {WRONG}"]


@pytest.mark.parametrize("answer", [pytest.param(each, id=f"S30-{each}") for each in ("accept", "decline")])
def test_an_answer_to_the_system_closes_it(answer: str) -> None:
    asked = four(1, options={"passing": "offer"}, stock="3D 4D 5D 6D 7D")
    assert (asked.state.round.phase, replay.to_act(asked)) == ("offer", (2, 3))
    assert {choice.type for choice in replay.choices(asked, 2)} == {"accept", "decline", "challenge"}
    closed: Any = SCAMPER.view(moved(asked, 2, answer).state, None)
    assert closed["challenge"]["seat"] == 1
    assert closed["melds"]


def test_s30_a_challenge_during_that_offer_leaves_the_offer() -> None:
    asked = four(1, options={"passing": "offer"})
    caught = moved(asked, 3, "challenge")
    assert (caught.state.round.phase, caught.state.round.discards[-1]) == ("offer", "3C")
    assert moved(caught, 2, "accept").state.round.hands[2][-2] == "3C"


def test_s30_the_view_shows_the_turn_that_may_be_challenged() -> None:
    view: Any = SCAMPER.view(four(1).state, None)
    assert view["challenge"]["seat"] == 0


def test_s30_a_seat_that_leaves_when_it_should_begin_does_not_close_the_window() -> None:
    after = four()
    after = replay.played(after, Actor("seat", 1), Resign())
    while due := replay.due(after):
        after = replay.played(after, *due)
    assert replay.to_act(after) == (2, 3)


def goes_out(*out: int, **changes: Any) -> Position:
    before = position(HELD, *["8H KC 4S"] * 3, out=out, **changes)
    return moved(moved(before, 0, "meld", melds=groups(WRONG)), 0, "discard", card="3C")


def test_s30_the_next_seat_that_stays_answers_going_out() -> None:
    after = goes_out(1)
    assert (replay.awaited(after), replay.to_act(after)) == ((2,), (2, 3))
    assert {choice.type for choice in replay.choices(after, 2)} == {"concede", "challenge"}
    assert moved(after, 2, "concede").state.rows[0].out == 0
    assert given(moved(after, 3, "challenge").state) == [(0, "wrong_meld", 50)]


def test_s30_its_vain_challenge_is_its_answer() -> None:
    before = position("7C 7D 7S 3C", *["8H KC 4S"] * 3, out=(1,))
    before = moved(moved(before, 0, "meld", melds=groups("set 7C 7D 7S")), 0, "discard", card="3C")
    assert moved(before, 2, "challenge").state.rows[0].scores() == (0, 25, 45, 25)


def test_s30_who_should_answer_and_leaves_passes_the_answer_on() -> None:
    after = replay.played(goes_out(), Actor("seat", 1), Resign())
    assert (replay.due(after), replay.awaited(after)) == (None, (2,))


def test_s30_who_went_out_and_left_may_still_be_challenged() -> None:
    after = replay.played(goes_out(), Actor("seat", 0), Resign())
    assert replay.to_act(after) == (1, 2, 3)
    assert given(moved(after, 2, "challenge").state) == [(0, "wrong_meld", 50)]


@pytest.mark.parametrize(
    ("passing", "discard"),
    [
        pytest.param("off", "6D", id="S30-from-the-pile"),
        pytest.param("forced", "5D", id="S30-from-the-hand-it-got-to"),
    ],
)
def test_a_discard_that_came_by_a_swap_goes_back_when_the_system_has_played_since(
    passing: str, discard: str
) -> None:
    before = position(
        *("8C JK", *["8H KC 4S"] * 3),
        options={"passing": passing},
        out=(1,),
        melds="1 set 9C 9D 2S",
        down=(0,),
        discards="",
    )
    swapped = moved(before, 0, "swap", meld="m1", card="8C", wild="2S")
    after = moved(swapped, 0, "discard", card="2S")
    caught = moved(after, 2, "challenge").state
    assert (hand(caught), on_table(caught)) == ("8C JK", ["1 set 9C 9D 2S"])
    assert "2S" not in (*caught.round.discards, *caught.round.hands[2])
    assert caught.round.discards == (discard,)


def test_s30_an_offer_that_goes_back_leaves_nothing_to_accept() -> None:
    laid: Any = {"melds": "1 set 9C 9D 2S", "down": (0,), "discards": ""}
    before = position(*("8C JK", *["8H KC 4S"] * 3), out=(1,), options={"passing": "offer"}, **laid)
    after = moved(moved(before, 0, "swap", meld="m1", card="8C", wild="2S"), 0, "discard", card="2S")
    caught = moved(after, 3, "challenge")
    accepted = moved(caught, 2, "accept").state
    assert (len(accepted.round.hands[2]), accepted.round.phase) == (3, "begin")


def test_s9_a_seat_that_has_left_declines_what_is_offered() -> None:
    offering = {"passing": "offer"}
    before = position("3C 4D 5D", *["8H KC 4S"] * 2, out=(1,), phase="begin", options=offering)
    assert moved(before, 0, "draw").state.round.phase == "play"


def test_s30_who_left_challenges_no_more() -> None:
    state = melds(table(f"{HELD} 5D 6D", *["8H"] * 2, down=(), options={"melds": "challenge"}), WRONG)
    state = SCAMPER.left(put_down(state, "3C"), 2)
    assert SCAMPER.to_act(state) == (1,)
    assert given(play(state, 1, "challenge")) == [(0, "wrong_meld", 50)]
