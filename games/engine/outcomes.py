"""What entries of a log brought, beside the moves of a ruleset themselves; and the result of a game."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from games.engine.base import Ruleset, ranked
from games.engine.common_moves import Timeout
from games.engine.jsontypes import JsonObject

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


# ---- Results -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Placing:
    """The final rank and score of a seat: rank 1 is best, equal seats share a rank."""

    seat: int
    rank: int
    score: int


@dataclass(frozen=True)
class Result:
    """The end of a finished game: a placing for each seat, in seat order, and the score sheet."""

    seats: tuple[Placing, ...]
    sheet: tuple[JsonObject, ...]

    def as_json(self) -> JsonObject:
        """Return ``{"seats": [{"seat", "rank", "score"}], "sheet": […]}``."""
        return {"seats": [{**vars(placing)} for placing in self.seats], "sheet": list(self.sheet)}


def among_sides(ranks: Sequence[int], sides: Sequence[Hashable]) -> tuple[int, ...]:
    """Return the place of each seat's side, counted among the sides; where nobody has won all are last."""
    best: dict[Hashable, int] = {}
    for rank, side in zip(ranks, sides, strict=True):
        best[side] = min(rank, best.get(side, rank))
    if min(ranks) > 1:
        return (len(best),) * len(ranks)
    return tuple(1 + sum(other < best[side] for other in best.values()) for side in sides)


def rank_leavers_last(ranks: Sequence[int], teams: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each seat; those of teams that are not among the ``left`` ones come last."""
    if {*left} == {*teams}:
        return tuple(ranks)
    last = len(ranks) + 1
    return ranked([rank if team in left else last for rank, team in zip(ranks, teams, strict=True)])
