"""The bot of Scoops: legal in every state that it meets, and far better than random legal play."""

import random
from dataclasses import replace
from typing import Any

import pytest

from games.engine import replay
from games.engine.replay import Actor, Position
from games.rules.scoops import bot
from games.rules.scoops.state import State
from tests.rules.randomplay import opened, some_move
from tests.rules.recording import Recorder, as_clients_see
from tests.rules.scoops.tables import SCOOPS, groups, table, with_melds

GAMES = 8
MOST_ENTRIES = 300


def chosen(state: State, seat: int = 0) -> Any:
    """Return the bot's move, from what a client would see."""
    view = as_clients_see(SCOOPS.view(state, seat))
    return bot.choose(seat, view, [as_clients_see(each.as_json()) for each in SCOOPS.choices(state, seat)])


def against_random_play(seats: int, number: int) -> Position:
    """Return the end of a game of one bot, in the seat of the game's number, and others at random."""
    position, chance = opened(SCOOPS, seats, number), random.Random(number)
    while position.status == "active":
        (seat,) = replay.to_act(position)
        if seat == number % seats:
            move = chosen(position.state, seat)
        else:
            move = some_move(chance.choice(replay.choices(position, seat)), chance)
        position = replay.played(position, Actor("seat", seat), replay.read_move(SCOOPS, move))
    return position


VALUES: Any = {
    "target": (1, 3, 5, 10),
    "round_limit": (1, 30, 50, 100),
    "turn_limit": (1, 60, 500, 1000),
    "knocking": ("discarder", "anybody"),
}
"""For each option its bounds, its default and a value between."""
SETTINGS = [
    pytest.param(2 + number % 8, {name: value}, id=f"{2 + number % 8}-seats-{name}-{value}")
    for number, (name, value) in enumerate((name, value) for name in VALUES for value in VALUES[name])
]


@pytest.mark.parametrize(("seats", "options"), SETTINGS)
def test_the_bot_moves_legally_with_every_option_and_number_of_seats(
    seats: int, options: dict[str, Any]
) -> None:
    game = Recorder("scoops", seats, options)
    game.play(until=MOST_ENTRIES)
    assert game.position.status == "finished" or len(game.entries) == MOST_ENTRIES


@pytest.mark.parametrize("seats", [2, 4, 9])
def test_the_bot_beats_random_play_nearly_always(seats: int) -> None:
    ends = [against_random_play(seats, number) for number in range(GAMES)]
    alone = [SCOOPS.ranks(end.state)[number % seats] == 1 for number, end in enumerate(ends)]
    assert sum(alone) >= GAMES - 1


def test_the_same_view_and_choices_give_the_same_move() -> None:
    state = table("Cone", "Banana", "7")
    assert chosen(state) == chosen(state)


ON_TABLE = ((0, "book KC KD KH"), (1, "run 6S 7S 8S"), (1, "book 2C 2D 2H"))

MOVES = {
    "C16-wins-where-it-can": (
        table("Bowl", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC KD KS"),
        {"type": "lay_down", "groups": groups("book 2C 2D 2H + run 5S 6S 7S + book KC KD KS")},
    ),
    "C14-takes-what-it-needs": (
        table("Bowl", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC KD", piles=("", "KS"), phase="draw"),
        {"type": "draw", "from": 1},
    ),
    "C14-leaves-what-it-does-not": (
        table("Bowl", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC KD", piles=("", "9S"), phase="draw"),
        {"type": "draw", "from": "deck"},
    ),
    "C15-throws-the-odd-one-out": (
        table("Bowl", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC KD 9S"),
        {"type": "discard", "card": "9S"},
    ),
    "C17-lays-its-sets": (
        table("Float", "Vanilla", None, "2C 2D 2H 9S JS KC KD 4H 3S"),
        {"type": "meld", "groups": groups("book 2C 2D 2H")},
    ),
    "C17-floats-the-last-cards": (
        with_melds(table("Float", "Vanilla", None, "9S 2S"), *ON_TABLE),
        {"type": "float", "meld": 1, "cards": ["9S"], "end": "high"},
    ),
    "C18-knocks-when-low": (
        table("Coffee", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC JD 9H"),
        {"type": "discard", "card": "KC", "knock": True, "melds": groups("book 2C 2D 2H + run 5S 6S 7S")},
    ),
    "C18-lays-its-sets-in-a-last-turn": (
        table("Coffee", "Vanilla", None, "2C 2D 2H 5S 5D 7S KC JD 7H", knocker=1),
        {"type": "discard", "card": "KC", "melds": groups("book 2C 2D 2H")},
    ),
}


@pytest.mark.parametrize(("state", "move"), MOVES.values(), ids=MOVES)
def test_the_bot_plays(state: State, move: dict[str, Any]) -> None:
    assert chosen(state) == move


def test_c9_the_bot_keeps_its_wild_cards() -> None:
    assert chosen(table("Bowl", "Banana", None, "2C 2D 2H 5S 6S 7S KC QD JK"))["card"] != "JK"


@pytest.mark.parametrize(
    ("hand", "goal"),
    [
        pytest.param("9C 9D 9H 9S 5S 6S 7S KD", "Shake", id="C4-a-four-and-nearly-another"),
        pytest.param("9C 9D KH 2H 5S 6S 7S 8S", "Sandwich", id="C4-a-pair-and-nearly-a-run-of-five"),
        pytest.param("9C 9D 9H 5S 6S 7S KC KD", "Bowl", id="C4-two-threes-and-a-pair"),
    ],
)
def test_the_bot_assigns_the_goal_that_it_is_nearest_to(hand: str, goal: str) -> None:
    state = table("Bowl", "Vanilla", None, hand, phase="assign", turn=0, assigned=None)
    state = replace(state, round=replace(state.round, dice=(1, 2, 4, 4)))
    assert SCOOPS.step(state, 0, SCOOPS.read_move(chosen(state))).round.contract.goal.name == goal
