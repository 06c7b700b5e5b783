"""Rows to be written in any file format."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from fractions import Fraction
from operator import attrgetter
from typing import Any, TypeAlias

Value: TypeAlias = str | bool | int | Fraction | datetime | None
Column: TypeAlias = str | tuple[str, str | Callable[[Any], Value]]
"""The name of a column, with the attribute of a row that it shows or a function of the row, unless the
attribute has the same name."""


@dataclass(frozen=True)
class Listing:
    """Rows under named columns; every row has a value for each column, in their order.

    Points are Fractions, whole ones too. ``zone`` is the zone of times in spreadsheets, which have no zones.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    zone: tzinfo = UTC

    @classmethod
    def of(
        cls, name: str, rows: Iterable[object], columns: Sequence[Column], zone: tzinfo = UTC
    ) -> "Listing":
        """Return a listing of some rows."""
        named = dict((column, column) if isinstance(column, str) else column for column in columns)
        values = [attrgetter(value) if isinstance(value, str) else value for value in named.values()]
        cells = tuple(tuple(value(row) for value in values) for row in rows)
        return cls(name, tuple(named), cells, zone)

    def records(self) -> Iterator[Mapping[str, Value]]:
        """Yield each row as a mapping from column to value."""
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))
