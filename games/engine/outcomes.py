"""What entries of a log brought, beside the moves of a ruleset themselves."""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from games.engine.base import Ruleset
from games.engine.common_moves import Timeout

MAX_DEFAULTS: Final = 1000

Last: TypeAlias = tuple[Any, int | None, Any, Any]
"""The last entry of a position: the state before it, its seat, its move, and the state after it."""


@dataclass(frozen=True)
class DefaultMoves:
    """The outcome of a timeout: the moves that were played, each with its own outcome."""

    made: tuple[tuple[Any, Any], ...]


def by_default(ruleset: Ruleset[Any, Any, Any], state: Any, seat: int) -> tuple[Any, DefaultMoves]:
    """Return the state after the seat's default moves until its turn is over, and these moves."""
    turn, made = ruleset.turn_number(state), list[tuple[Any, Any]]()
    for _ in range(MAX_DEFAULTS):
        before, move = state, ruleset.default_move(state, seat)
        state = ruleset.step(before, seat, move)
        made.append((move, ruleset.outcome(before, move, state)))
        if ruleset.turn_number(state) != turn or seat not in ruleset.awaited(state):
            return state, DefaultMoves(tuple(made))
    raise AssertionError(f"{ruleset.name}: default moves never end the turn of seat {seat}")


def of_last(ruleset: Ruleset[Any, Any, Any], last: Last | None) -> Any:
    """Return what the last entry of a position brought, None where its move says it all."""
    before, seat, move, after = last or (None, None, None, None)
    if before is None or after is None:
        return None
    if isinstance(move, Timeout) and seat is not None:
        return by_default(ruleset, before, seat)[1]
    return ruleset.outcome(before, move, after) if type(move) in ruleset.moves.values() else None


def touched(ruleset: Ruleset[Any, Any, Any], last: Last | None) -> tuple[str, ...]:
    """Return the things on the table that the last entry of a position was about."""
    outcome = _of_last_made(ruleset, last)
    return () if outcome is None else ruleset.touched(outcome)


def exchanged(ruleset: Ruleset[Any, Any, Any], last: Last | None) -> tuple[str, ...]:
    """Return the two things on the table that took each other's places with the last entry, if any did."""
    outcome = _of_last_made(ruleset, last)
    return () if outcome is None else ruleset.exchanged(outcome)


def _of_last_made(ruleset: Ruleset[Any, Any, Any], last: Last | None) -> Any:
    """Return the outcome of the last move that an entry made: of a timeout, that of its last default move."""
    outcome = of_last(ruleset, last)
    return outcome.made[-1][1] if isinstance(outcome, DefaultMoves) else outcome
