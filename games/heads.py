"""The fields of a game, and its seats, that follow from its log."""

import json
from datetime import datetime
from functools import lru_cache
from typing import Final

from games.engine import clocks, replay
from games.engine.replay import Actor, Opening, Position
from games.models import Game, Seat

OPENED: Final = ("ruleset", "options", "commitment", "clock", "opened_at")
"""The fields of a game that its opening fixes."""


def set_opened(game: Game, opening: Opening) -> None:
    """Set the fields that the opening fixes, but for the time."""
    game.ruleset, game.options = opening.ruleset, opening.options
    game.commitment, game.clock = opening.commitment, opening.clock


def seats(game: Game, opening: Opening, position: Position) -> list[Seat]:
    """Return the seats of a game as its opening names them."""
    accounts = opening.accounts or (None,) * len(opening.seats)
    return [
        Seat(game=game, number=number, player=player, account=account, team=position.teams[number])
        for number, (player, account) in enumerate(zip(opening.seats, accounts, strict=True))
    ]


def start_clocks(game: Game, position: Position) -> None:
    """Start the clocks with the opening."""
    set_times(game, clocks.started(position.seats, replay.timed(position), game.moved_at))


def tick(game: Game, actor: Actor, position: Position) -> None:
    """Update the clocks after entries that were appended together."""
    set_times(game, ticked(clock_of(game), times_of(game), actor.seat, position, game.moved_at))


def ticked(
    clock: clocks.Clock, times: clocks.Times, seat: int | None, position: Position, at: datetime
) -> clocks.Times:
    """Return the times of clocks after entries that were appended together, of a seat or of none."""
    return clocks.ticked(clock, times, seat, replay.timed(position), at)


def set_times(game: Game, times: clocks.Times) -> None:
    """Set the times of a game's clocks."""
    game.since, game.used = list(times.since), list(times.used)


def follow(game: Game, position: Position) -> None:
    """Set the head fields that follow from a position and its clocks."""
    due = [deadline for deadline in clocks.deadlines(clock_of(game), times_of(game)) if deadline]
    game.deadline = min(due, default=None)
    result = replay.result(position)
    game.status = position.status
    game.awaited = list(replay.awaited(position))
    waiting = replay.open_rounds(position)
    game.unconfirmed = [each.number for each in waiting]
    game.disputed = [each.number for each in waiting if each.disputed]
    game.unanswered = list(position.unanswered)
    game.result = result.as_json() if result else None


def times_of(game: Game) -> clocks.Times:
    """Return the times of a game's clocks."""
    return clocks.Times(tuple(game.since), tuple(game.used))


def clock_of(game: Game) -> clocks.Clock:
    """Return the settings of a game's clock."""
    return _clock_of(json.dumps(game.clock))


@lru_cache(maxsize=200)
def _clock_of(settings: str) -> clocks.Clock:
    return clocks.read(json.loads(settings))
