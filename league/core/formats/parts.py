"""A bracket in parts that each fit on a page or a screen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.engine.values import replace
from league.core.formats.base import Bracket, Column, Match
from league.core.formats.picture import GAP


def parts(bracket: Bracket, rows: int, columns: int, begin: int = 0) -> Iterator[Bracket]:
    """Yield a bracket in parts of at most so many pairs below each other and so many columns, from one on.

    The last column of a part begins the next one. Who is read in one part meets nobody of another one before
    its last column.
    """
    span = rows * (2 + GAP)
    while True:
        window = _Window(_laid_out(bracket.columns[begin : begin + columns]), span)
        yield from (Bracket(each, bracket.title) for each in window.parts())
        if begin + window.depth >= len(bracket.columns):
            return
        begin += max(1, window.depth - 1)


@dataclass(frozen=True)
class _Window:
    """Some columns side by side, cut where so much height is full."""

    columns: Sequence[Column]
    span: float

    @property
    def depth(self) -> int:
        """Return how many columns no match of two parts has."""
        for number, (before, column) in enumerate(pairwise(self.columns), 1):
            for match in column.matches:
                if len({self._part(before.matches[feeder]) for feeder in match.feeders}) > 1:
                    return number
        return len(self.columns)

    def parts(self) -> Iterator[tuple[Column, ...]]:
        """Yield the columns of each part."""
        whole = self.columns[: self.depth]
        last = max((self._part(match) for column in whole for match in column.matches), default=0)
        for part in range(last + 1):
            yield tuple(self._of(part, whole))

    def _part(self, match: Match) -> int:
        return int(match.centre / self.span)

    def _of(self, part: int, whole: Sequence[Column]) -> Iterator[Column]:
        before: dict[int, int] = {}
        for column in whole:
            own = [at for at, match in enumerate(column.matches) if self._part(match) == part]
            kept = {at: number for number, at in enumerate(own)}
            if kept:
                matches = (column.matches[at] for at in own)
                yield replace(
                    column, matches=tuple(_moved(each, part * self.span, before) for each in matches)
                )
            before = kept


def _moved(match: Match, up: float, before: dict[int, int]) -> Match:
    feeders = tuple(before[feeder] for feeder in match.feeders if feeder in before)
    return replace(match, centre=match.centre - up, feeders=feeders)


def _laid_out(columns: Sequence[Column]) -> Sequence[Column]:
    """Return columns with the matches of the first as close as can be, and the others where these lead."""
    if not columns:
        return columns
    first = columns[0].matches
    apart = min((other.centre - one.centre for one, other in pairwise(first)), default=0.0)
    narrowed = max(1.0, apart / (len(first[0].slots) + GAP))
    top = min(match.centre for match in first) - len(first[0].slots) / 2
    found: list[Column] = []
    for column in columns:
        before = found[-1].matches if found else ()
        found.append(replace(column, matches=tuple(_placed(column, before, top, narrowed))))
    return found


def _placed(column: Column, before: Sequence[Match], top: float, narrowed: float) -> Iterator[Match]:
    bottom = -GAP
    for match in column.matches:
        half = len(match.slots) / 2
        led = [before[feeder].centre for feeder in match.feeders] if before else []
        wanted = sum(led) / len(led) if led else half + (match.centre - top - half) / narrowed
        centre = max(wanted, bottom + GAP + half)
        yield replace(match, centre=centre, feeders=match.feeders if before else ())
        bottom = centre + half
