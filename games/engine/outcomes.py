"""What entries of a log brought, beside the moves of a ruleset themselves."""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from games.engine.base import Ruleset

MAX_DEFAULTS: Final = 1000

Outcomes: TypeAlias = tuple[tuple[int, Any], ...]
"""The outcomes of those entries that had one, by the entries' numbers, in order."""


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


def with_outcome(outcomes: Outcomes, seq: int, outcome: Any) -> Outcomes:
    """Return the outcomes with that of entry ``seq``, unless it has none."""
    return outcomes if outcome is None else (*outcomes, (seq, outcome))


def touched(ruleset: Ruleset[Any, Any, Any], seq: int, outcomes: Outcomes) -> tuple[str, ...]:
    """Return the things on the table that entry ``seq``, the last one, was about."""
    last, outcome = outcomes[-1] if outcomes else (0, None)
    if isinstance(outcome, DefaultMoves):
        outcome = outcome.made[-1][1]
    return () if outcome is None or last != seq else ruleset.touched(outcome)
