"""Draws what hangs on the wall: pairings, names in alphabetical order, standings and brackets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, pairwise
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from games.engine.messages import filled
from league.apps.prints.contents import Heading, Place, Ranking, Seating
from league.apps.prints.paper import LINE, MARGIN, PADDING, SHADE, SIGNING, Paper
from league.core.formats import Bracket, Match, Slot, parts
from league.models.names import search_key, sort_key
from league.words.messages import translated
from league.words.values import exact, table_label

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
    ordered = sorted(places, key=lambda place: (sort_key(place.name), place.table))
    letters = groupby(ordered, key=lambda place: search_key(place.name)[:1].upper())
    blocks = [Block(letter, tuple(map(_row, inside)), is_list=True) for letter, inside in letters]
    return _document(heading, blocks, _SMALLEST_IN_LIST)


def _row(place: Place) -> tuple[str, str]:
    return place.name, f"{place.table} · {place.seat}" if place.table else "–"


# ---- Columns -------------------------------------------------------------------------------------


def _document(heading: Heading, blocks: Sequence[Block], smallest: float) -> bytes:
    pdf = Paper(heading.title, heading.paper)
    layout = _layout(pdf, blocks, smallest)
    for at, column in enumerate(layout.columns_of(blocks)):
        if at % layout.columns == 0:
            pdf.begin_page(heading)
        layout.draw(column, MARGIN + at % layout.columns * layout.width)
    if not blocks:
        pdf.begin_page(heading)
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


# ---- Standings -----------------------------------------------------------------------------------

_ROW: Final = 6.0
_HEADING_LINE: Final = 3.8
_HEADING_SIZE: Final = 7.5
_RANK_WIDTH: Final = 12.0
_NAME_WIDTH: Final = 50.0  # at least
_NUMBER_WIDTH: Final = 17.0  # at least
_TEXT: Final = 9.5
_READABLE: Final = 0.8  # of a text's usual size


def standings(heading: Heading, rankings: Sequence[Ranking], legend: str = "") -> bytes:
    """Return a PDF of standings, with column headings on each page; the second column is the widest.

    The legend stands below the last table.
    """
    pdf = Paper(heading.title, heading.paper)
    pdf.begin_page(heading)
    for ranking in rankings:
        _draw_ranking(pdf, heading, ranking)
    if legend:
        pdf.put_line(legend, _ROW, size=_TEXT)
    if _room(pdf) < SIGNING:
        pdf.begin_page(heading)
    pdf.put_signature(heading.occasion, pdf.h - MARGIN - SIGNING)
    return bytes(pdf.output())


def _draw_ranking(pdf: Paper, heading: Heading, ranking: Ranking) -> None:
    ranking = _fullest(pdf, ranking, _TEXT)
    widths = _widths(pdf, ranking)
    if _room(pdf) < 4 * _ROW:
        pdf.begin_page(heading)
    _draw_columns(pdf, ranking, widths)
    for row in ranking.rows:
        if _room(pdf) < _ROW:
            pdf.begin_page(heading)
            _draw_columns(pdf, ranking, widths)
        _draw_row(pdf, row, widths)


def _room(pdf: Paper) -> float:
    return float(pdf.h - MARGIN - pdf.get_y())


def _draw_columns(pdf: Paper, ranking: Ranking, widths: Sequence[float]) -> None:
    pdf.set_y(pdf.get_y() + 3)
    if ranking.group:
        pdf.put_line(ranking.group, 8, size=12, bold=True)
    pdf.set_fill_color(SHADE)
    height, headings = 2 * _HEADING_LINE, _cells(ranking.columns, widths)
    sizes = (
        pdf.fitted(text, width, height, size=_HEADING_SIZE, bold=True)[0] for text, width, _align in headings
    )
    pdf.put_row(headings, height, size=min(sizes), bold=True, box="F")


def _cells(texts: Sequence[str], widths: Sequence[float]) -> list[tuple[str, float, Align]]:
    aligned = (Align.L if at == 1 else Align.R for at in range(len(texts)))
    return [*zip(texts, widths, aligned, strict=True)]


def _draw_row(pdf: Paper, row: Sequence[str], widths: Sequence[float]) -> None:
    pdf.put_row(_cells(row, widths), _ROW, size=_TEXT)
    pdf.set_draw_color(LINE)
    pdf.line(MARGIN, pdf.get_y(), MARGIN + pdf.epw, pdf.get_y())


def _widths(pdf: Paper, ranking: Ranking, part: float = 1.0, size: float = _TEXT) -> Sequence[float]:
    """Return the columns' widths on a part of the page: those of numbers as wide as their longest.

    They are narrower where names would not have their room.
    """
    numbers = _numbers(pdf, ranking, size)
    width, rank, name = part * pdf.epw, max(0.7, part) * _RANK_WIDTH, max(0.8, part) * _NAME_WIDTH
    fitting = min(1.0, (width - rank - name) / sum(numbers)) if numbers else 1.0
    wide = [number * fitting for number in numbers]
    return [rank, width - rank - sum(wide), *wide]


def _numbers(pdf: Paper, ranking: Ranking, size: float) -> Sequence[float]:
    """Return how wide columns of numbers would be if they had all the room that they need."""
    return [
        max([_NUMBER_WIDTH, *(pdf.width_of(row[at], size=size) + 3 * PADDING for row in ranking.rows)])
        for at in range(2, len(ranking.columns))
    ]


def _fullest(pdf: Paper, ranking: Ranking, size: float, part: float = 1.0) -> Ranking:
    """Return a table with its fuller column if that can be read on a part of the page."""
    if not ranking.fuller:
        return ranking
    columns, *rows = (
        (*row[:-2], text, row[-1])
        for row, text in zip((ranking.columns, *ranking.rows), ranking.fuller, strict=True)
    )
    fuller = Ranking(ranking.group, columns, tuple(rows))
    needed, wide = _numbers(pdf, fuller, size), _widths(pdf, fuller, part, size)[2:]
    return fuller if sum(wide) >= _READABLE * sum(needed) else ranking


# ---- One sheet of an evening ---------------------------------------------------------------------

_FLATTEST: Final = 2.6
_HALF: Final = 0.485  # of the page's width, in two columns
_NARROWEST: Final = 9.0  # column of numbers


def sheet(heading: Heading, parts: Sequence[Ranking | str]) -> bytes:
    """Return a PDF of one page with tables and lines, in rows so high that all of them fit.

    The tables stand side by side where they would be hard to read below each other. Where even the
    flattest rows don't fit, the last ones are left out.
    """
    pdf = Paper(heading.title, heading.paper)
    pdf.begin_page(heading)
    top, room = pdf.get_y(), _room(pdf)
    columns: Sequence[Sequence[Ranking | str]] = [parts]
    if room / max(1, _lines(parts)) < _EASY_LINE:
        columns = _side_by_side(pdf, parts)
    longest = max(_lines(column, wrapped=len(columns) > 1) for column in columns)
    row = max(_FLATTEST, min(_ROW, room / max(1, longest)))
    for at, column in enumerate(columns):
        pdf.set_y(top)
        left = MARGIN + at * (1 - _HALF) * pdf.epw
        _draw_column(pdf, column, row, left, 1.0 if len(columns) == 1 else _HALF)
    return bytes(pdf.output())


def _lines(parts: Sequence[Ranking | str], *, wrapped: bool = False) -> int:
    """Return how many rows parts need; lines are ``wrapped`` into two where the page has two columns."""
    return sum(1 + wrapped if isinstance(part, str) else len(part.rows) + 4 for part in parts)


def _side_by_side(pdf: Paper, parts: Sequence[Ranking | str]) -> Sequence[Sequence[Ranking | str]]:
    """Return parts in two columns that are as even as can be; in one where their numbers need the width."""
    widths = [_widths(pdf, part, _HALF) for part in parts if not isinstance(part, str)]
    narrow = any(number < _NARROWEST for each in widths for number in each[2:])
    if len(widths) < 2 or narrow:
        return [parts]
    cuts = (([*parts[:at]], [*parts[at:]]) for at in range(1, len(parts)))
    return min(cuts, key=lambda cut: max(_lines(column, wrapped=True) for column in cut))


def _draw_column(
    pdf: Paper, parts: Sequence[Ranking | str], row: float, left: float, part_of_page: float
) -> None:
    height, size = row * (1 if part_of_page == 1 else 2), row * _TEXT / _ROW
    for part in parts:
        if isinstance(part, str):
            if _room(pdf) >= height:
                top = pdf.get_y()
                pdf.put(part, left, top, part_of_page * pdf.epw, height, size=size)
                pdf.set_y(top + height)
        elif _room(pdf) >= 4 * row:
            _draw_flat(pdf, part, row, left, part_of_page)


def _draw_flat(pdf: Paper, ranking: Ranking, row: float, left: float, part_of_page: float) -> None:
    size = row * _TEXT / _ROW
    ranking = _fullest(pdf, ranking, size, part_of_page)
    widths = _widths(pdf, ranking, part_of_page)
    top = pdf.get_y() + row
    pdf.put(ranking.group, left, top, sum(widths), row, size=size * 1.1, bold=True)
    pdf.set_y(top + row)
    pdf.set_fill_color(SHADE)
    pdf.put_row(_cells(ranking.columns, widths), row, size=size, bold=True, box="F", left=left)
    for each in ranking.rows[: int(_room(pdf) / row + 0.01)]:
        pdf.put_row(_cells(each, widths), row, size=size, left=left)
        pdf.set_draw_color(LINE)
        pdf.line(left, pdf.get_y(), left + sum(widths), pdf.get_y())


# ---- Brackets ------------------------------------------------------------------------------------

_TALLEST_SLOT: Final = 9.0
_WIDEST_BOX: Final = 62.0
_APART: Final = 6.0
_BRACKET_POINTS_PER_MM: Final = 1.9
_NOTE: Final = 5.0
_BRACKET_TOP: Final = _TOP + 14
_MOST_PAIRS: Final = 16
_MOST_ROUNDS: Final = 6


def brackets(heading: Heading, drawn: Sequence[Bracket]) -> bytes:
    """Return a PDF of brackets, on as many pages as have them in letters that can be read."""
    pdf = Paper(heading.title, heading.paper)
    pages = [part for bracket in drawn for part in parts(bracket, _MOST_PAIRS, _MOST_ROUNDS)]
    for number, bracket in enumerate(pages, 1):
        pdf.add_page(orientation="landscape" if len(bracket.columns) > 2 else "portrait")
        pdf.put_heading(heading)
        told = _("Page %(page)d of %(pages)d") % {"page": number, "pages": len(pages)}
        title = translated(bracket.title)
        pdf.put_line(f"{title} · {told}" if title else told, 6, size=11, bold=True)
        _BracketPage(pdf, bracket).draw()
    return bytes(pdf.output())


class _BracketPage:
    """A bracket on its page."""

    def __init__(self, pdf: Paper, bracket: Bracket) -> None:
        self.pdf, self.bracket = pdf, bracket
        columns = max(1, len(bracket.columns))
        self.width = min(_WIDEST_BOX, (pdf.epw + _APART) / columns - _APART)
        room = pdf.h - MARGIN - _BRACKET_TOP - _NOTE * len(bracket.level)
        self.slot = min(_TALLEST_SLOT, room / max(1.0, bracket.height))

    def draw(self) -> None:
        for at, column in enumerate(self.bracket.columns):
            left = MARGIN + at * (self.width + _APART)
            self.pdf.put(translated(column.title), left, _BRACKET_TOP - 8, self.width, 5, size=9, bold=True)
            for match in column.matches:
                self._match(match, left)
        self._lines()
        self._notes()

    def _height(self, centre: float) -> float:
        return _BRACKET_TOP + centre * self.slot

    def _match(self, match: Match, left: float) -> None:
        pdf, size = self.pdf, self.slot * _BRACKET_POINTS_PER_MM * 0.7
        top = self._height(match.centre - len(match.slots) / 2)
        pdf.set_draw_color(0)
        if match.label:
            pdf.put(
                table_label(match.label),
                left,
                top - self.slot * 0.7,
                self.width,
                self.slot * 0.7,
                size=size,
            )
        for at, slot in enumerate(match.slots):
            self._slot(slot, left, top + at * self.slot)

    def _slot(self, slot: Slot, left: float, top: float) -> None:
        """Draw a name, and beside it in small letters what decided in place of play, and the score."""
        size, small, width = self.slot * _BRACKET_POINTS_PER_MM, self.slot * 1.3, self.width
        score, why = "" if slot.score is None else exact(slot.score), translated(slot.why)
        aside = width * 0.2 if score else 0.0
        told = min(width * 0.4, self.pdf.width_of(why, size=small) + 2 * PADDING) if why else 0.0
        put = partial(self.pdf.put, top=top, height=self.slot)
        self.pdf.rect(left, top, width, self.slot)
        name = slot.name or translated(slot.note)
        put(name, left, width=width - aside - told, size=size if slot.name else small, bold=slot.advanced)
        if why:
            put(why, left + width - aside - told, width=told, size=small, align=Align.R)
        if score:
            put(score, left + width - aside, width=aside, size=size, align=Align.R)

    def _notes(self) -> None:
        for at, slot in enumerate(self.bracket.level):
            told = {"name": slot.name, "how": translated(slot.note)}
            sentence = filled(_("%(name)s went on from a level table: %(how)s."), told)
            top = self._height(self.bracket.height) + at * _NOTE
            self.pdf.put(sentence, MARGIN, top, self.pdf.epw, _NOTE, size=8)

    def _lines(self) -> None:
        self.pdf.set_draw_color(LINE)
        for at, (before, column) in enumerate(pairwise(self.bracket.columns)):
            right = MARGIN + at * (self.width + _APART) + self.width
            for match in column.matches:
                for feeder in match.feeders:
                    start, end = self._height(before.matches[feeder].centre), self._height(match.centre)
                    middle = right + _APART / 2
                    self.pdf.line(right, start, middle, start)
                    self.pdf.line(middle, start, middle, end)
                    self.pdf.line(middle, end, right + _APART, end)
