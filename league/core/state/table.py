"""A table of a round: its seats, its games, and what decides it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from league.core.state.indexed import Indexed
from league.core.state.plan import Placing

Outcome: TypeAlias = Literal["no_show", "forfeit", "walkover"]
TableStatus: TypeAlias = Literal["drawn", "playing", "postponed", "abandoned", "played", "walkover", "void"]


@dataclass(frozen=True)
class Seat:
    """A seat at a table: a player, and the entry that they play for."""

    entry: str
    player: str


@dataclass(frozen=True)
class Result:
    """The result of a game, or of a ruling; ``seq`` is the number of the event that brought it.

    ``reason`` and ``against_scores`` are those of a ruling.
    """

    placings: tuple[Placing, ...]
    seq: int
    reason: str = ""
    against_scores: str = ""


@dataclass(frozen=True)
class TableGame:
    """A game of a table, with its result once it is over, and the head of its log then."""

    id: str
    abandoned: bool = False
    result: Result | None = None
    head: str = ""

    @property
    def over(self) -> bool:
        """Return whether the end of the game is recorded."""
        return self.abandoned or self.result is not None


@dataclass(frozen=True)
class Decision:
    """What decides a table in place of its games: a ruling, a walkover, that it is void, or nothing yet."""

    ruling: Result | None = None
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    walked_over: bool = False
    void: str | None = None


@dataclass(frozen=True)
class Postponement:
    """Why a table is put off, and by when it must be played, None for no deadline."""

    reason: str
    deadline: str | None = None


@dataclass(frozen=True)
class Table:
    """A table of a round, with its games, and its result as far as there is one.

    ``earlier`` are the decisions that later ones replaced, the last one last. ``left`` are the games that an
    entry left as a no-show or by a forfeit, while they were running. ``finished`` is the number of the event
    that first brought a result which counts, 0 before it; a correction keeps it. ``gone`` are the entries
    that had left the round by then.
    """

    id: str
    seats: tuple[Seat, ...]
    group: int
    board: int = 1
    label: str = ""
    games: tuple[TableGame, ...] = ()
    ruling: Result | None = None
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    walked_over: bool = False
    void: str | None = None
    postponement: Postponement | None = None
    earlier: tuple[Decision, ...] = ()
    left: tuple[tuple[str, tuple[str, ...]], ...] = ()
    finished: int = 0
    gone: tuple[str, ...] = ()

    @cached_property
    def derived(self) -> dict[str, Any]:
        """What was computed from the table alone, by name: kept for as long as the table stays as it is."""
        return {}

    @property
    def decision(self) -> Decision:
        """Return what decides the table in place of its games."""
        return Decision(self.ruling, self.outcomes, self.walked_over, self.void)

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries at the table, each once, in seat order."""
        return tuple(dict.fromkeys(seat.entry for seat in self.seats))

    @property
    def results(self) -> tuple[Result, ...]:
        """Return the results that count: of a ruled table the ruling alone, of a void table none."""
        if self.void is not None:
            return ()
        if self.ruling:
            return (self.ruling,)
        return tuple(game.result for game in self.games if game.result)

    @property
    def status(self) -> TableStatus:
        """Return the status; an ``abandoned`` table waits for an organiser."""
        if self.void is not None:
            return "void"
        if self.walked_over:
            return "walkover"
        if self.ruling:
            return "played"
        if not self.games:
            return "drawn"
        if any(game.abandoned for game in self.games):
            return "abandoned"
        if all(game.result for game in self.games):
            return "played"
        return "postponed" if self.postponement else "playing"

    @property
    def decided(self) -> bool:
        """Return whether the table needs no further result."""
        return self.status in ("played", "walkover", "void")

    @property
    def to_come(self) -> bool:
        """Return whether the table is put off and still to be decided."""
        return self.postponement is not None and not self.decided

    @property
    def left_outcomes(self) -> tuple[tuple[str, Outcome], ...]:
        """Return the outcomes of entries that did not come or have left, which a ruling does not replace."""
        return () if self.walked_over else self.outcomes

    @property
    def outcome_of(self) -> Mapping[str, Outcome]:
        """Return the outcomes that replace results, by entry."""
        return dict(self.outcomes)


class Tables(Indexed[Table]):
    """The tables of a round, found by their ids and those of their games."""

    @staticmethod
    def words(item: Table) -> tuple[str, ...]:
        return item.id, *(game.id for game in item.games)
