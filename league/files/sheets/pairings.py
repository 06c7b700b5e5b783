"""Draws pairings for the wall: the tables of a round, and the names in alphabetical order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from league.files.sheets.model import Heading, Place, Seating
from league.files.sheets.notices import head
from league.files.sheets.paper import MARGIN, SHADE, Paper
from league.models.names import search_key

_TOP: Final = MARGIN + 18
_MOST_COLUMNS: Final = 5
_EASY_LINE: Final = 4.6  # readable from a metre away
_TALLEST_LINE: Final = 7.0
_SMALLEST_LINE: Final = 2.05
_SMALLEST_IN_LIST: Final = 3.4
_FEWEST_LINES: Final = 2
"""A list begins in a column that has room for at least so many lines of it."""
_STEP: Final = 0.05
_GAP: Final = 0.5  # of a line, between blocks
_BESIDE: Final = 3.6  # lines' heights: the room for a table and a seat
_POINTS_PER_MM: Final = 2.1
"""Font size, in points, for each millimetre of line height."""


@dataclass(frozen=True)
class Block:
    """A title, and rows of a text and what stands beside it; a list may go on in the next column."""

    title: str
    rows: tuple[tuple[str, str], ...]
    is_list: bool = False


def pairings(heading: Heading, tables: Sequence[Seating], without: Sequence[str]) -> bytes:
    """Return a PDF of a round's tables; up to 110 tables of four fit on one page if no name is long.

    ``without`` are the names of entries without a table.
    """
    resting = [Block(_("No table"), tuple((name, "") for name in without), is_list=True)] if without else []
    seated = [Block(f"{table.title}  {table.label}".strip(), table.names) for table in tables]
    return _document(heading, [*seated, *resting], _SMALLEST_LINE)


def alphabetical(heading: Heading, places: Sequence[Place]) -> bytes:
    """Return a PDF of names in alphabetical order, each with its table and seat."""
    ordered = sorted(places, key=lambda place: (search_key(place.name), place.name, place.table))
    letters = groupby(ordered, key=lambda place: search_key(place.name)[:1].upper())
    blocks = [Block(letter, tuple(map(_row, inside)), is_list=True) for letter, inside in letters]
    return _document(heading, blocks, _SMALLEST_IN_LIST)


def _row(place: Place) -> tuple[str, str]:
    return place.name, f"{place.table} · {place.seat}" if place.table else "–"


# ---- Columns -------------------------------------------------------------------------------------


def _document(heading: Heading, blocks: Sequence[Block], smallest: float) -> bytes:
    pdf = Paper(heading.title)
    layout = _layout(pdf, blocks, smallest)
    for at, column in enumerate(layout.columns_of(blocks)):
        if at % layout.columns == 0:
            head(pdf, heading)
        layout.draw(column, MARGIN + at % layout.columns * layout.width)
    if not blocks:
        head(pdf, heading)
    return bytes(pdf.output())


@dataclass(frozen=True)
class _Layout:
    """The columns of a page, and the height of a line in millimetres."""

    pdf: Paper
    columns: int
    line: float

    @property
    def width(self) -> float:
        return self.pdf.epw / self.columns

    @property
    def size(self) -> float:
        return self.line * _POINTS_PER_MM

    @property
    def room(self) -> float:
        """Return how many lines a column has."""
        return (self.pdf.h - MARGIN - _TOP) / self.line

    def columns_of(self, blocks: Sequence[Block]) -> Iterator[list[Block]]:
        """Yield the blocks by column; a table is split only if it is longer than a column."""
        column: list[Block] = []
        used = 0.0
        for block in blocks:
            for part in self._parts(block, self.room - used):
                lines = self._lines(part)
                if column and used + lines > self.room:
                    yield column
                    column, used = [], 0.0
                column.append(part)
                used += lines
        if column:
            yield column

    def _parts(self, block: Block, left: float) -> Iterator[Block]:
        """Yield a block in parts that fit into a column each; a list begins in what is ``left`` of one."""
        rows: list[tuple[str, str]] = []
        used, room = 1 + _GAP, left if block.is_list and left >= 1 + _GAP + _FEWEST_LINES else self.room
        for row in block.rows:
            lines = len(self._split(*row))
            if used + lines > room:
                if rows:
                    yield replace(block, rows=tuple(rows))
                rows, used, room = [], 1 + _GAP, self.room
            rows.append(row)
            used += lines
        yield replace(block, rows=tuple(rows))

    def _lines(self, block: Block) -> float:
        return sum(len(self._split(*row)) for row in block.rows) + 1 + _GAP

    def _split(self, text: str, beside: str) -> list[str]:
        width = self._width_of_text(beside)
        return self.pdf.lines(text, width, size=self.size) or [text]

    def _width_of_text(self, beside: str) -> float:
        return self.width - 2 - (_BESIDE * self.line if beside else 0)

    def draw(self, blocks: Sequence[Block], left: float) -> None:
        """Draw a column."""
        top, inner = _TOP, self.width - 2
        for block in blocks:
            self.pdf.set_fill_color(SHADE)
            self.pdf.rect(left, top, inner, self.line, style="F")
            self.pdf.put(block.title, left, top, inner, self.line, size=self.size, bold=True)
            below = top + self.line
            for row in block.rows:
                below = self._draw_row(row, left, below)
            top += self._lines(block) * self.line

    def _draw_row(self, row: tuple[str, str], left: float, top: float) -> float:
        """Draw a row; return where the next one begins."""
        text, beside = row
        put = partial(self.pdf.put, height=self.line, size=self.size)
        room = self._width_of_text(beside)
        if beside:
            put(beside, left + room, top, _BESIDE * self.line, bold=True, align=Align.R)
        for line in self._split(text, beside):
            put(line, left, top, room)
            top += self.line
        return top


def _layout(pdf: Paper, blocks: Sequence[Block], smallest: float) -> _Layout:
    """Return the layout with the fewest columns that has all blocks on one page in lines easy to read.

    Where there is none, lines are smaller, and from the ``smallest`` line on there are more pages.
    """
    layout = _Layout(pdf, 1, _TALLEST_LINE)
    for columns in range(1, _MOST_COLUMNS + 1):
        layout = _tallest(replace(layout, columns=columns), blocks, smallest)
        if layout.line >= _EASY_LINE:
            break
    return layout


def _tallest(layout: _Layout, blocks: Sequence[Block], smallest: float) -> _Layout:
    """Return the layout with the tallest lines, within limits, with which the blocks fit into its columns."""
    low, high = 0, round((_TALLEST_LINE - smallest) / _STEP)
    while low < high:
        middle = (low + high + 1) // 2
        tried = replace(layout, line=smallest + middle * _STEP)
        if len([*tried.columns_of(blocks)]) <= layout.columns:
            low = middle
        else:
            high = middle - 1
    return replace(layout, line=smallest + low * _STEP)
