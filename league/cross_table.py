"""The cross table of a stage: how each entry did against each other one, meeting by meeting."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from league import ranking, scoring
from league.competition.state import Competition


@dataclass(frozen=True)
class CrossRow:
    """An entry's row: against each entry in the order of the rows its results, 1 ahead, 1/2 level, 0 behind.

    The cell against itself is None; an empty cell is of two who have not met.
    """

    rank: int
    entry: str
    points: Fraction
    cells: tuple[tuple[Fraction, ...] | None, ...]


def cross_table(state: Competition, number: int, group: int = 1) -> tuple[CrossRow, ...]:
    """Return the rows of a group, in the order of its standings; raise `Illegal` for a stage not begun."""
    records = scoring.records(state, state.stage_numbered(number))
    rows = [row for row in ranking.standings(state, number) if row.group == group]
    order = [row.entry for row in rows]
    found = {entry: _met(records[entry]) for entry in order}
    return tuple(
        CrossRow(
            row.rank,
            row.entry,
            row.points,
            tuple(None if other == row.entry else found[row.entry].get(other, ()) for other in order),
        )
        for row in rows
    )


def _met(record: scoring.Record) -> Mapping[str, tuple[Fraction, ...]]:
    met: dict[str, tuple[Fraction, ...]] = {}
    for line in record.lines:
        for meeting in line.meetings:
            met[meeting.opponent] = (*met.get(meeting.opponent, ()), meeting.share)
    return met
