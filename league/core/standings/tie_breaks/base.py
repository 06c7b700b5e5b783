"""The contract of a tie-break: it gives each of several level entries a mark, and the best mark is first."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, TypeAlias

from league.core.records import ZERO, Line, Rate, Reached, Record
from league.core.scoring import fixed_points

Key: TypeAlias = tuple[Fraction, ...]
"""Numbers compared one after the other; more is better."""


Value: TypeAlias = Callable[[Line], Fraction]
"""What a tie-break counts of a table that an entry played."""


@dataclass(frozen=True)
class Trend:
    """A straight line through the average of pairs: at ``points`` the value is ``mean``."""

    points: Fraction = ZERO
    mean: Fraction = ZERO
    slope: Fraction = ZERO

    def at(self, points: Fraction) -> Fraction:
        """Return the value at other points."""
        return self.mean + self.slope * (points - self.points)


def trend_of(pairs: Sequence[tuple[Fraction, Fraction]]) -> Trend:
    """Return the line of least squares through pairs of points and a value."""
    if not pairs:
        return Trend()
    points = sum((each for each, _ in pairs), ZERO) / len(pairs)
    mean = sum((value for _, value in pairs), ZERO) / len(pairs)
    squares = sum(((each - points) ** 2 for each, _ in pairs), ZERO)
    products = sum(((each - points) * (value - mean) for each, value in pairs), ZERO)
    return Trend(points, mean, products / squares if squares else ZERO)


@dataclass(frozen=True)
class Accounts:
    """What standings are computed from: records, how points are awarded, ranks by the format, and lots.

    ``rounds`` is the number of rounds they cover, ``boards`` the number of results that an entry has in each.
    ``edition`` is that of the stage's scoring. ``last`` are those who come last, each with why.
    """

    records: Mapping[str, Record]
    rate: Rate
    reached: Mapping[str, Reached]
    lots: Mapping[str, int]
    rounds: int = 0
    boards: int = 1
    edition: int = 1
    last: Mapping[str, str] = field(default_factory=dict)

    @property
    def duels(self) -> bool:
        """Return whether all tables are tables of two."""
        return self.rate.size == 2

    @cached_property
    def draw(self) -> Fraction | None:
        """Return the points of a drawn duel, None where scores are added."""
        return fixed_points(self.rate, "middle")

    @cached_property
    def win(self) -> Fraction | None:
        """Return the points of a duel won, None where scores are added."""
        return fixed_points(self.rate, "win")

    @cached_property
    def at_tables(self) -> Mapping[str | None, Sequence[Line]]:
        """Return the lines of each table."""
        lines: dict[str | None, list[Line]] = {}
        for record in self.records.values():
            for line in record.lines:
                lines.setdefault(line.table, []).append(line)
        return lines

    def over_all_rounds(self, record: Record, key: str, value: Value) -> Fraction:
        """Return the sum of a value over an entry's rounds that count; ``key`` names the value.

        A round without a result counts as what goes with its points on average in the stage: paid like a last
        place it counts like one, paid the average it counts as the average. A void table counts as the
        entry's own average, so that it makes nobody better or worse.
        """
        counted = [line for line in record.lines if line.counts]
        played = [value(line) for line in counted if line.kind == "played"]
        away = [line.points for line in counted if line.kind != "played"]
        total = sum(played, ZERO)
        if record.voided:
            own = total / len(played) if played else self._trend(key, value).mean
            total += own * len(record.voided)
        return total + sum((self._trend(key, value).at(points) for points in away), ZERO)

    def without_game(self, record: Record, key: str, value: Value) -> Fraction:
        """Return what goes on average with the points of the rounds of an entry that played none."""
        trend = self._trend(key, value)
        away = [trend.at(line.points) for line in record.lines if line.counts]
        return sum(away, ZERO) / len(away) if away else trend.mean

    def _trend(self, key: str, value: Value) -> Trend:
        if key not in self._trends:
            self._trends[key] = trend_of(
                [
                    (line.points, value(line))
                    for record in self.records.values()
                    for line in record.lines
                    if line.kind == "played"
                ]
            )
        return self._trends[key]

    @cached_property
    def _trends(self) -> dict[str, Trend]:
        return {}

    def points_key(self, points: Fraction) -> Fraction:
        """Return points as a number of which more is better."""
        return -points if self.rate.low_points_win else points


@dataclass(frozen=True)
class Mark:
    """An entry's value: the key to compare it by, and its text."""

    key: Key
    text: str


class Criterion(ABC):
    """A criterion that orders entries."""

    key: ClassVar[str]
    title: ClassVar[str]
    """Its name everywhere: in the set-up, above a column, and in a sentence such as "ahead by …"."""
    summary: ClassVar[str]
    """What the value is, for organisers who choose a tie-break."""
    restarts: ClassVar[bool] = False
    """Whether it is applied again to entries that it leaves level."""
    lasts: ClassVar[bool] = False
    """Whether its order of entries that play no more stays, whatever others play."""

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        """Return whether rounds without a result count as what goes with their points on average."""
        return False

    @abstractmethod
    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        """Return the mark of each entry of a level group, or None where it does not apply to this group."""


class OwnMark(Criterion):
    """A criterion whose mark does not depend on the entries that are level."""

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        return {entry: self.mark(accounts, accounts.records[entry]) for entry in group}

    @abstractmethod
    def mark(self, accounts: Accounts, record: Record) -> Mark:
        """Return an entry's mark."""
