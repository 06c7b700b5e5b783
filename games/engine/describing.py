"""Moves in words that follow the name of who made them."""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.common_moves import (
    Abandon,
    AcceptInvitation,
    Begin,
    DeclineInvitation,
    Forfeit,
    GiveTime,
    HandOver,
    Lapse,
    Penalty,
    Ready,
    Resign,
    StartClocks,
    StopClocks,
    Timeout,
)
from games.engine.messages import Message, all_of, plural, seat, text
from games.engine.outcomes import DefaultMoves
from games.engine.replay import AnyRuleset, Position

_PLAIN: Final[Mapping[type, Message]] = {
    Ready: text("is ready"),
    Resign: text("resigns"),
    Timeout: text("runs out of time; the default moves are played"),
    StopClocks: text("stops for all seats"),
    StartClocks: text("runs again"),
    AcceptInvitation: text("accepts the invitation"),
    DeclineInvitation: text("declines the invitation"),
    Lapse: text("ends the invitation, which was not answered in time"),
    Begin: text("begins the game without the missing answers"),
}


def describe(ruleset: AnyRuleset, move: Any, by: int | None = None) -> Message:
    """Return a move that a seat can make in words that follow the actor's name; reveals no hidden card."""
    return _common(move, by) or ruleset.describe_by(move, by)


def told(ruleset: AnyRuleset, move: Any, by: int | None, outcome: Any) -> Message:
    """Return a move that was made, with its outcome, in words that follow the actor's name.

    A timeout names the default moves that it played. Without an outcome the move alone is told.
    """
    if isinstance(outcome, DefaultMoves):
        made = all_of([ruleset.told(each, by, its_own) for each, its_own in outcome.made])
        return text("runs out of time; the default moves are played: %(moves)s", moves=made)
    return _common(move, by) or ruleset.told(move, by, outcome)


def _common(move: Any, by: int | None = None) -> Message | None:
    """Return a move that all games share in words, None for one of a ruleset."""
    if type(move) in _PLAIN:
        return _PLAIN[type(move)]
    match move:
        case Forfeit() if move.seat == by:
            # Only the clock lets a seat forfeit in its own name: a player resigns.
            return text("runs out of time and forfeits")
        case Forfeit():
            return _forfeit(move)
        case Penalty():
            return _penalty(move)
        case GiveTime():
            return _time(move.minutes)
        case Abandon():
            return text("abandons the game: %(reason)s", reason=move.reason)
        case HandOver():
            return text(
                "changes the account that plays %(seat)s: %(reason)s",
                seat=seat(move.seat),
                reason=move.reason,
            )
        case _:
            return None


_COMMANDS: Final[Mapping[type, Message]] = {
    Ready: text("Say that you are ready"),
    Resign: text("Resign"),
    AcceptInvitation: text("Accept the invitation"),
    DeclineInvitation: text("Decline the invitation"),
}


def command(position: Position, seat: int, move: Any) -> Message | None:
    """Return what a list says of a move that a seat may make, None where `describe` has to do."""
    if type(move) in _COMMANDS:
        return _COMMANDS[type(move)]
    return None if position.joining else position.ruleset.command(position.state, seat, move)


def _forfeit(move: Forfeit) -> Message:
    if move.reason:
        return text("takes %(seat)s out: %(reason)s", seat=seat(move.seat), reason=move.reason)
    return text("takes %(seat)s out", seat=seat(move.seat))


def _time(minutes: int) -> Message:
    if minutes < 0:
        return text("takes back %(minutes)s min of all seats’ time", minutes=-minutes)
    return text("gives all seats %(minutes)s min more", minutes=minutes)


def _penalty(move: Penalty) -> Message:
    return plural(
        "gives %(seat)s a penalty of %(count)s point: %(reason)s",
        "gives %(seat)s a penalty of %(count)s points: %(reason)s",
        move.points,
        seat=seat(move.seat),
        reason=move.reason,
    )
