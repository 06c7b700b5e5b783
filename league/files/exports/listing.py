"""Rows to be written in any file format."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = str | bool | int | Fraction | datetime | None


@dataclass(frozen=True)
class Listing:
    """Rows under named columns; every row has a value for each column, in their order.

    Points are Fractions, whole ones too. ``zone`` is the zone of times in spreadsheets, which have no zones.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    zone: tzinfo = UTC

    def records(self) -> Iterator[Mapping[str, Value]]:
        """Yield each row as a mapping from column to value."""
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))
