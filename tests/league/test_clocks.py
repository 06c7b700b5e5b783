"""The clock moves for late seats, exactly once with several schedulers."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
import time_machine

from games import log
from games.models import Game
from league.services.play import run_out
from tests.games.test_log import at_once, opened

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def roles(game: Game) -> list[str]:
    return [entry.role for entry in log.entries(game, after=1)]


def late(**clock: Any) -> Game:
    """Return a game whose first move was due an hour ago."""
    with time_machine.travel(NOON, tick=False):
        return opened(3, clock={"move": 3600, **clock})


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "made"), [(59, 0), (60, 1), (90, 1)])
def test_the_clock_moves_only_when_the_time_is_up(minutes: int, made: int) -> None:
    game = late()
    with time_machine.travel(NOON.timestamp() + 60 * minutes, tick=False):
        run_out(game_id=game.pk)
    assert roles(game) == ["clock"] * made


@pytest.mark.django_db
def test_a_late_seat_forfeits_if_the_clock_is_set_to_forfeit() -> None:
    game = late(late="forfeit")
    run_out(game_id=game.pk)
    assert log.entries(game, after=1)[0].move == {
        "type": "forfeit",
        "seat": game.awaited[0],
        "reason": "out of time",
    }


@pytest.mark.django_db
def test_an_expired_game_clock_moves_for_the_seat_at_once() -> None:
    with time_machine.travel(NOON, tick=False) as traveller:
        game = opened(2, clock={"game": 3600})
        traveller.shift(3600)
        run_out(game_id=game.pk)
        run_out(game_id=game.pk)
    assert roles(game) == ["clock"]


@pytest.mark.django_db(transaction=True)
def test_several_schedulers_make_one_move() -> None:
    game = late()
    with time_machine.travel(NOON.timestamp() + 3600, tick=False):
        answers = at_once([partial(run_out, game_id=game.pk)] * 5)
    assert answers == [None] * 5
    assert roles(game) == ["clock"]
