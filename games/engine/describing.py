"""Moves in words that follow the name of who made them."""

from typing import Any

from games.engine.common_moves import (
    Abandon,
    Forfeit,
    Penalty,
    Ready,
    Resign,
    StartClocks,
    StopClocks,
    Timeout,
)
from games.engine.messages import Message, plural, seat, text
from games.engine.replay import AnyRuleset


def describe(ruleset: AnyRuleset, move: Any, by: int | None = None) -> Message:
    """Return the move of a seat in words that follow the actor's name; reveals no hidden card."""
    match move:
        case Ready():
            return text("is ready")
        case Resign():
            return text("resigns")
        case Forfeit():
            return _forfeit(move)
        case Penalty():
            return _penalty(move)
        case Abandon():
            return text("abandons the game: %(reason)s", reason=move.reason)
        case Timeout():
            return text("runs out of time; the default moves are played")
        case StopClocks():
            return text("stops for all seats")
        case StartClocks():
            return text("runs again")
        case _:
            return ruleset.describe_by(move, by)


def _forfeit(move: Forfeit) -> Message:
    if move.reason:
        return text("takes %(seat)s out: %(reason)s", seat=seat(move.seat), reason=move.reason)
    return text("takes %(seat)s out", seat=seat(move.seat))


def _penalty(move: Penalty) -> Message:
    return plural(
        "gives %(seat)s a penalty of %(count)s point: %(reason)s",
        "gives %(seat)s a penalty of %(count)s points: %(reason)s",
        move.points,
        seat=seat(move.seat),
        reason=move.reason,
    )
