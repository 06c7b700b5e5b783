"""The camper plays by the rules, remembers what is true, and wins by remembering."""

import random
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from games.engine import replay
from games.engine.policy import Rememberer
from games.rules.scram.bot import POLICY, Camper
from games.rules.scram.bot.memory import Memory, fresh
from games.rules.scram.state import State
from tests.rules.randomplay import some_move
from tests.rules.recording import Recorder, as_clients_see
from tests.rules.scram.notation import SCRAM, act, begin, draw, play, table


def opened(number: int, seats: int, *recalls: int, **options: Any) -> Recorder:
    """Return a new game whose seats remember so well, the last recall being that of all further seats."""
    game = Recorder("scram", seats, options, secret=number.to_bytes(32, "big"))
    game.policies |= {seat: Camper(recalls[min(seat, len(recalls) - 1)]) for seat in range(seats)}
    return game


def unruly(game: Recorder, number: int) -> Iterator[Recorder]:
    """Yield the game after every move, half of them made by bots, the others at random or by the clock."""
    dice = random.Random(number)
    while game.position.status == "active":
        seat = replay.awaited(game.position)[0]
        match dice.randrange(6):
            case 0 | 1 | 2:
                game.bot_move()
            case 3:
                game.clock(seat)
            case _:
                game.seat(seat, some_move(dice.choice(replay.choices(game.position, seat)), dice))
        yield game


@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize("aided", [False, True], ids=["unaided", "aided"])
def test_what_a_camper_believes_is_true_whatever_the_others_do(seats: int, aided: bool) -> None:
    game = opened(seats, seats, 100, rounds=2, memory_aid=aided)
    for _ in unruly(game, seats):
        everything: Any = replay.full_view(game.position)
        for seat in range(seats):
            assert not wrong(memory_of(game, seat), everything)


def memory_of(game: Recorder, seat: int) -> Memory:
    policy = game.policy(seat)
    assert isinstance(policy, Camper)
    assert policy.memory
    return policy.memory


def wrong(memory: Memory, everything: Any) -> list[Any]:
    """Return what is believed and isn't so."""
    rows = [[card["card"] for card in row] for row in everything["campsites"]]
    pairs = zip((*memory.rows, memory.deck), (*rows, everything["open"]["deck"][::-1]), strict=True)
    return [
        (believed, real)
        for held, lying in pairs
        for believed, real in zip(held, lying, strict=False)
        if believed not in (None, real)
    ]


def test_a_camper_knows_all_that_the_memory_aid_would_show() -> None:
    game, aided = opened(1, 4, 100), opened(1, 4, 0, memory_aid=True)
    for _ in unruly(game, 1):
        entry = game.entries[-1]
        (aided.clock if entry["role"] == "clock" else aided.seat)(entry["seat"], entry["move"])
        for seat in range(4):
            shown = fresh(as_clients_see(replay.view(aided.position, seat)))
            pairs = zip(shown.rows, memory_of(game, seat).rows, strict=True)
            assert all(card in (None, mine) for row in pairs for card, mine in zip(*row, strict=True))


def known(memory: Memory) -> int:
    return sum(card is not None for row in memory.rows for card in row)


def test_a_camper_without_recall_keeps_nothing_past_its_own_move() -> None:
    game = opened(1, 4, 0, rounds=1)
    for _ in unruly(game, 1):
        entry = game.entries[-1]
        if entry["seat"] is not None and game.position.status == "active":
            shown = fresh(as_clients_see(replay.view(game.position, entry["seat"])))
            assert memory_of(game, entry["seat"]).rows == shown.rows


def test_half_a_recall_keeps_some_cards_and_the_same_ones_every_time() -> None:
    game, held = opened(1, 4, 100), []
    campers = [Camper(0), Camper(50), Camper(50), Camper(100)]
    for _ in unruly(game, 1):
        entry = game.entries[-1]
        view = as_clients_see(replay.view(game.position, 0 if entry["seat"] == 0 else None))
        campers = [camper.after(0, entry, view) for camper in campers]
        held.append([known(camper.memory) for camper in campers if camper.memory])
    none, half, again, whole = map(sum, zip(*held, strict=True))
    assert none < half < whole
    assert half == again


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_a_camper_that_is_told_nothing_plays_on_by_what_it_sees(seats: int) -> None:
    game = opened(seats, seats, 100, rounds=1)
    for number, _ in enumerate(unruly(game, seats)):
        if number % 5 == 0:
            game.policies |= dict.fromkeys(range(seats), Camper())
    assert replay.result(game.position)


ACTIONS_UNDER_WAY = [
    pytest.param(begin(table("(1) 2", "(3)", "4", "5"), "7"), act("0.0"), id="looking"),
    pytest.param(begin(table("(1) 2", "(3)", "4", "5"), "12"), act("0.0 1.0"), id="exchanging"),
    pytest.param(table("(1) 2", "(3)", "4", "5"), draw("discard"), id="replacing"),
]


@pytest.mark.parametrize(("state", "move"), ACTIONS_UNDER_WAY)
def test_a_camper_takes_up_what_was_under_way_when_it_lost_touch(state: State, move: dict[str, Any]) -> None:
    resumed = play(state, move)
    view = as_clients_see(SCRAM.view(resumed, 0))
    choices = [as_clients_see(choice.as_json()) for choice in SCRAM.choices(resumed, 0)]
    chosen: Any = Camper().choose(0, view, choices)
    assert SCRAM.step(resumed, 0, SCRAM.read_move(chosen))


def test_a_12_is_used_to_swap_a_high_card_for_a_low_one() -> None:
    state = play(begin(table("(13) 2 3", "(1) 4", "6", "7"), "12"), act("0.0 1.0"))
    view = as_clients_see(SCRAM.view(state, 0))
    assert Camper().choose(0, view, [{"type": "exchange", "fields": {}}]) == {"type": "exchange", "do": True}


def test_a_camper_discards_a_set_that_it_sees() -> None:
    state = begin(table("11 2 3", "4", "11 5", "6"), "4")
    move: Any = Camper().choose(0, as_clients_see(SCRAM.view(state, 0)), [{"type": "discard", "fields": {}}])
    assert move["type"] == "replace"
    assert move["cards"] == [{"seat": 0, "index": 0}, {"seat": 2, "index": 0}]


@pytest.mark.parametrize(("seats", "games"), [(4, 8), (6, 4)])
def test_a_team_that_remembers_beats_one_that_does_not(seats: int, games: int) -> None:
    """Measured over hundreds of games the rememberers win nearly all; a few are enough to see it."""
    won = 0
    for number in range(games):
        first = number % 2
        game = Recorder("scram", seats, {"rounds": 2}, secret=number.to_bytes(32, "big"))
        game.policies |= {seat: Camper(100 if seat % 2 == first else 0) for seat in range(seats)}
        game.play()
        result = replay.result(game.position)
        assert result
        won += result.seats[first].rank == 1
    assert won >= games * 3 // 4


def test_the_registered_camper_remembers() -> None:
    assert isinstance(POLICY, Rememberer)


OPTIONS = [
    *[{"rounds": rounds, "turn_limit": 1, "memory_aid": rounds % 2 == 0} for rounds in range(1, 11)],
    *[{"rounds": 1, "turn_limit": limit, "memory_aid": limit % 2 == 0} for limit in (2, 3, 5, 8, 60, 200)],
    *[{"memory_aid": aided} for aided in (False, True)],
    *[{"rounds": 1, "seven": count, "eight": 7 - count, "ten": count} for count in range(1, 7)],
    *[{"rounds": 1, "thirteen": whose} for whose in ("not_empty", "own_team", "other_team")],
]


@pytest.mark.parametrize(("seats", "options"), [*zip(cycle((3, 4, 6)), OPTIONS, strict=False)])
def test_campers_play_by_the_rules_with_every_option(seats: int, options: dict[str, Any]) -> None:
    game = opened(7, seats, 100, 50, 0, **options)
    game.play()
    result = replay.result(game.position)
    assert result
    assert len(result.sheet) == game.position.state.game.rounds
