"""The cross table of a stage: each entry's results against each other one, meeting by meeting."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from league.core import scoring
from league.core.records import Line, Meeting, Record
from league.core.standings import ranking
from league.core.standings.rows import Row
from league.core.state.competition import Competition

Meetings: TypeAlias = Mapping[str, tuple[Fraction, ...]]
"""An entry's results by opponent."""


@dataclass(frozen=True)
class CrossRow:
    """An entry's row: its results against each entry in row order; 1 is ahead, 1/2 level, 0 behind.

    The cell against itself is None; a cell is empty where the two have not met.
    """

    rank: int
    entry: str
    name: str
    points: Fraction
    cells: tuple[tuple[Fraction, ...] | None, ...]


CrossTable: TypeAlias = tuple[CrossRow, ...]
"""The rows of a group, in the order of its standings."""


def cross_tables(state: Competition, number: int) -> tuple[CrossTable, ...]:
    """Return the cross table of each group of a stage; raise `Illegal` where it has not begun."""
    stage = state.stage_numbered(number)
    tables = [table.id for each in stage.shown_rounds for table in each.tables]
    meetings = _meetings(scoring.records(state, stage), tables)
    names = {entry.id: entry.name for entry in state.entries}
    rows = ranking.standings(state, number)
    return tuple(
        tuple(_rows([row for row in rows if row.group == group], names, meetings))
        for group in range(1, len(stage.groups) + 1)
    )


def _rows(
    rows: Sequence[Row], names: Mapping[str, str], meetings: Mapping[str, Meetings]
) -> Iterator[CrossRow]:
    for row in rows:
        met = meetings[row.entry]
        cells = tuple(None if other is row else met.get(other.entry, ()) for other in rows)
        yield CrossRow(row.rank, row.entry, names[row.entry], row.points, cells)


def _meetings(records: Mapping[str, Record], tables: Sequence[str]) -> Mapping[str, Meetings]:
    """Return the meetings of each entry, table by table, also with those who did not come or left."""
    met: dict[str, dict[str, tuple[Fraction, ...]]] = {entry: {} for entry in records}
    of_table: dict[str, list[Line]] = {table: [] for table in tables}
    for line in (line for record in records.values() for line in record.lines):
        if line.table and (line.meetings or line.kind == "walkover"):
            of_table[line.table].append(line)
    for lines in of_table.values():
        own = {line.entry for line in lines}
        for line in lines:
            walked_over = [Meeting(other, Fraction(1)) for other in line.against if other not in own]
            for meeting in (*line.meetings, *walked_over):
                _add(met[line.entry], meeting.opponent, meeting.share)
                if meeting.opponent not in own:
                    _add(met[meeting.opponent], line.entry, 1 - meeting.share)
    return met


def _add(met: dict[str, tuple[Fraction, ...]], opponent: str, share: Fraction) -> None:
    met[opponent] = (*met.get(opponent, ()), share)
