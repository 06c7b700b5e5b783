"""The bot of Scamper: sensible move by move, honest, and it goes out in every contract against its like."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from games.engine import replay
from games.engine.cards import parse
from games.engine.replay import Actor, Position
from games.rules.scamper import bot
from games.rules.scamper.state import State
from tests.rules.randomplay import opened, some_move
from tests.rules.recording import as_clients_see
from tests.rules.scamper.tables import SCAMPER, discard, groups, melds, table


def chosen(state: State, seat: int = 0) -> Any:
    """Return the bot's move, from what a client would see."""
    view = as_clients_see(SCAMPER.view(state, seat))
    return bot.choose(seat, view, [as_clients_see(each.as_json()) for each in SCAMPER.choices(state, seat)])


def played(position: Position, seat: int, move: Any) -> Position:
    return replay.played(position, Actor("seat", seat), replay.read_move(SCAMPER, move))


def among_bots(seats: int, number: int, options: Any) -> Position:
    position = opened(SCAMPER, seats, number, options)
    while position.status == "active":
        (seat, *_) = replay.awaited(position)
        position = played(position, seat, chosen(position.state, seat))
    return position


@pytest.mark.parametrize(
    ("seats", "mode"), [(2, "checked"), (3, "challenge"), (6, "checked"), (8, "challenge")]
)
def test_bots_finish_all_ten_rounds_and_nearly_always_by_going_out(seats: int, mode: str) -> None:
    rows = among_bots(seats, seats, {"melds": mode}).state.rows
    assert len(rows) == 10
    assert sum(row.out is not None for row in rows) >= 9


def test_bots_never_lay_what_a_challenge_would_find() -> None:
    rows = among_bots(4, 9, {"melds": "challenge", "strict_ratio": True}).state.rows
    names = Counter(each.name for row in rows for each in row.adjustments)
    assert {*names} <= {"first_dealer"}


@pytest.mark.parametrize("seats", [2, 4])
def test_the_bot_beats_random_play(seats: int) -> None:
    ends = [against_random_play(seats, number) for number in range(5)]
    assert sum(SCAMPER.ranks(end.state)[0] == 1 for end in ends) >= 4


def against_random_play(seats: int, number: int) -> Position:
    """Return the end of a short game of a bot in seat 0 against others at random."""
    position, dice = opened(SCAMPER, seats, number, {"rounds": 4}), random.Random(number)
    while position.status == "active":
        (seat, *_) = replay.awaited(position)
        offered = replay.choices(position, seat)
        move = chosen(position.state, seat) if seat == 0 else some_move(dice.choice(offered), dice)
        position = played(position, seat, move)
    return position


PAIRS = "7C 7D 8H 8S 3C JD QS 4H"

MOVES = {
    "S8-takes-what-it-needs": (
        table(PAIRS, asked="set 3,set 3", down=(), phase="begin", discards="7S"),
        {"type": "take"},
    ),
    "S8-leaves-what-it-does-not": (
        table(PAIRS, asked="set 3,set 3", down=(), phase="begin", discards="KS"),
        {"type": "draw"},
    ),
    "S8-takes-what-goes-onto-the-table": (
        table("3C JD QS", melds="1 set 7C 7D 7H", phase="begin", discards="7S"),
        {"type": "take"},
    ),
    "S15-lays-the-contract": (
        table("7C 7D 7S 3C JD QS 4H", down=()),
        {"type": "meld", "melds": groups("set 7C 7D 7S")},
    ),
    "S19-lays-off-all-it-can": (
        table("7S 3C JD JK", melds="1 set 7C 7D 7H"),
        {"type": "lay_off", "meld": "m1", "cards": ["7S", "JK"]},
    ),
    "S21-swaps-for-a-wild-card": (
        table("7H 3C JD", melds="1 run 6H JK 8H"),
        {"type": "swap", "meld": "m1", "card": "7H", "wild": "JK", "place": 1},
    ),
    "S10-throws-what-counts-most-of-what-it-does-not-need": (
        table(PAIRS, asked="set 3,set 3", down=()),
        {"type": "discard", "card": "QS"},
    ),
    "S31-says-scamper": (table("3C JD"), {"type": "discard", "card": "JD", "scamper": True}),
    "S24-goes-out": (table("JK"), {"type": "discard", "card": "JK"}),
}


@pytest.mark.parametrize(("state", "move"), MOVES.values(), ids=MOVES)
def test_the_bot(state: State, move: Any) -> None:
    assert chosen(state) == move


def test_the_bot_accepts_what_makes_a_short_hand_long_enough() -> None:
    state = table("KD", "3C 5D 7H 9S JC", asked="set 3,set 3", down=(), phase="offer", discards="AS")
    assert chosen(state, 1) == {"type": "accept"}


def test_the_bot_declines_once_it_is_down() -> None:
    state = table("KD", "3C 5D", down=(1,), phase="offer", discards="AS")
    assert chosen(state, 1) == {"type": "decline"}


@pytest.mark.parametrize(
    ("text", "move"),
    [
        pytest.param("set 7C 7D 7S", "take", id="S30-trusts-what-is-legal"),
        pytest.param("set 7C 7D JS", "challenge", id="S30-doubts-what-is-not"),
    ],
)
def test_the_bot_looks_at_what_was_laid(text: str, move: str) -> None:
    state = table("7C 7D 7S JS 3C 4D", "9H 9S 4C", options={"melds": "challenge"}, down=())
    state = discard(melds(state, text), "3C" if move == "challenge" else "4D")
    state = state if move == "challenge" else with_top(state, "9C")
    assert chosen(state, 1)["type"] == move


def with_top(state: State, card: str) -> State:
    return replace(state, round=replace(state.round, discards=(*state.round.discards, *parse(card))))


def test_the_same_view_and_choices_give_the_same_move() -> None:
    state = table(PAIRS, asked="set 3,set 3", down=())
    assert chosen(state) == chosen(state)
