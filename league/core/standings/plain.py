"""What anybody can count of an entry: how often it came first, second, third …, and its card points."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from typing import Final

from games.engine.messages import Message, Param, plural, text
from league.core import formats, scoring
from league.core.records import ZERO, Record
from league.core.standings.settled import Settled, settled
from league.core.state.competition import Competition, Stage

COUNTED: Final = ("wins", "places")
"""The tie-breaks that compare places with what is to be expected, at tables of more than two."""
DUEL: Final = 2
"""Entries at a table of two: there a place is a win or none."""


@dataclass(frozen=True)
class Taken:
    """How often an entry came first, second, … at its tables, and the sum of its scores.

    Who shares a place has it in ``places``. In ``parts``, those of the tables that count, two who are first
    together have half a first and half a second place each. Partners that change are one side. ``score`` is
    None before it has played. ``games`` are those of its matches, won and lost. ``duels`` are the tables of
    two sides that it won, drew and lost: a walkover is a win, and who forfeited or did not come has lost.
    ``byes`` are rounds without a table, of which ``paid`` earned as much as a win.
    """

    places: tuple[int, ...]
    score: int | None
    parts: tuple[Fraction, ...] = ()
    games: tuple[Fraction, ...] = ()
    duels: tuple[int, int, int] = (0, 0, 0)
    byes: int = 0
    paid: int = 0


@dataclass(frozen=True)
class Plain:
    """The plain counts of a stage's entries, by entry.

    ``even``: all tables that count were of one size, and all entries played as many of them. What is to be
    expected is the same for everybody then, so that places less that order entries as plain counts do.
    ``left_out``: some tables don't count. ``duels``: at all tables two sides met. ``settled`` is what
    organisers or a rule decided of entries, ``first_by`` what ranks them before points do.
    """

    taken: Mapping[str, Taken]
    even: bool
    left_out: bool = False
    duels: bool = False
    settled: Mapping[str, Settled] = field(default_factory=dict)
    first_by: Message | None = None

    @property
    def of_matches(self) -> bool:
        """Return whether tables were matches of several games."""
        return any(each.games for each in self.taken.values())

    @cached_property
    def biggest(self) -> int:
        """Return how many places the biggest table has that was played, 0 for none."""
        return max((len(each.places) for each in self.taken.values()), default=0)

    @property
    def compared(self) -> bool:
        """Return whether places are compared with what is to be expected: more than two sides can meet."""
        return self.biggest > DUEL or (self.biggest > 0 and not self.duels)

    @property
    def told_plainly(self) -> Collection[str]:
        """Return the tie-breaks that say no more than the plain counts of places, or of duels."""
        return COUNTED if self.duels or self.even else ()

    def named(self, key: str) -> Message | None:
        """Return what a tie-break is called where its values are differences; None for its title."""
        if key not in COUNTED or not self.compared or self.even:
            return None
        return text("wins above average") if key == "wins" else text("places above average")

    def told(self, key: str, entry: str) -> Param | None:
        """Return the plain count that says as much as a value of a tie-break, None where none does."""
        if key not in self.told_plainly or entry not in self.taken:
            return None
        if self.duels:
            return _wins(self.taken[entry])
        parts = self.taken[entry].parts
        shown = parts[:1] if key == "wins" else parts
        return ", ".join(map(str, shown)) or "0"


def plain(state: Competition, stage: Stage, through: int) -> Plain:
    """Return the plain counts of a stage after a round."""
    records = scoring.records(state, stage, through)
    rate = scoring.rate_of(state, stage)
    win = scoring.fixed_points(rate, "win")
    taken = {entry: _taken(record, win) for entry, record in records.items()}
    counted = [[line for line in record.lines if line.counts] for record in records.values()]
    sizes = {len(line.places) for lines in counted for line in lines}
    duels = rate.size == DUEL and {*sizes} <= {0, DUEL}
    often = {len(lines) for lines in counted}
    voided = any(record.voided for record in records.values())
    even = rate.size > DUEL and len(sizes) == len(often) == 1 and sizes != {0} and not voided
    left_out = any(not line.counts for record in records.values() for line in record.lines)
    first_by = formats.of(stage.plan).ranked_first_by()
    return Plain(taken, even, left_out, duels, settled(state, stage, through), first_by)


def _wins(taken: Taken) -> Param:
    """Return how many duels an entry won, and how many byes count as much."""
    won, _drawn, _lost = taken.duels
    if not taken.paid:
        return str(won)
    byes = plural("%(count)d bye", "%(count)d byes", taken.paid)
    return text("%(wins)d and %(byes)s", wins=won, byes=byes)


def _taken(record: Record, win: Fraction | None) -> Taken:
    played = [line for line in record.lines if line.kind == "played"]
    size = max((len(line.places) for line in played), default=0)
    counted = [line.places for line in played if line.counts]
    parts = tuple(sum(column, ZERO) for column in zip_longest(*counted, fillvalue=ZERO))
    taken = Counter(next(at for at, part in enumerate(line.places) if part) for line in played)
    score = sum(line.score for line in played) if played else None
    of_matches = [line.games for line in played if line.games]
    games = tuple(sum(column, ZERO) for column in zip(*of_matches, strict=True))
    won = Counter(line.wins for line in played if len(line.places) == DUEL)
    drawn = won.total() - won[Fraction(1)] - won[Fraction(0)]
    kinds = Counter(line.kind for line in record.lines)
    duels = (
        won[Fraction(1)] + kinds["walkover"],
        drawn,
        won[Fraction(0)] + kinds["no_show"] + kinds["forfeit"],
    )
    free = [line for line in record.lines if line.kind in ("bye", "requested")]
    paid = sum(line.points == win for line in free)
    return Taken(tuple(taken[at] for at in range(size)), score, parts, games, duels, len(free), paid)
