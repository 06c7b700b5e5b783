"""Draws pairings and standings for the wall, and cards for the tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import Align, XPos, YPos

from league.files.sheets.paper import FONT, LINE, MARGIN, SHADE, document, draw_code, fitted

POINTS_PER_MM: Final = 2.1
"""Font size, in points, for each millimetre of line height."""


@dataclass(frozen=True)
class Heading:
    """The title of a page, and the line below it."""

    title: str
    subtitle: str


@dataclass(frozen=True)
class Seating:
    """A table with its players in seat order; ``url`` is the page of its game, ``""`` where it has none."""

    title: str
    label: str
    names: tuple[str, ...]
    url: str = ""


@dataclass(frozen=True)
class Ranking:
    """Standings of a group: a heading for each column, a text for each cell; ``group`` may be empty."""

    group: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _head(pdf: FPDF, heading: Heading) -> None:
    pdf.add_page()
    _draw_heading(pdf, heading, size=16)


def _draw_heading(pdf: FPDF, heading: Heading, *, size: int) -> None:
    for text, style, points, height in ((heading.title, "B", size, size / 2), (heading.subtitle, "", 10, 6)):
        pdf.set_font(FONT, style, points)
        pdf.cell(pdf.epw, height, fitted(pdf, text, pdf.epw), new_x=XPos.LMARGIN, new_y=YPos.NEXT)


# ---- Pairings ------------------------------------------------------------------------------------

_TOP: Final = MARGIN + 18
_MOST_COLUMNS: Final = 5
_EASY_LINE: Final = 4.6  # readable from a metre away
_TALLEST_LINE: Final = 7.0
_SMALLEST_LINE: Final = 2.05
_GAP: Final = 0.5  # of a line, between tables


def pairings(heading: Heading, tables: Sequence[Seating], without: Sequence[str]) -> bytes:
    """Return a PDF of a round's tables; up to 110 tables of four fit on one page.

    ``without`` are the names of entries without a table.
    """
    pdf = document(heading.title)
    blocks = [*tables, *([Seating(_("No table"), "", tuple(without))] if without else [])]
    height = pdf.h - MARGIN - _TOP
    columns, line = _layout(blocks, height)
    width = pdf.epw / columns
    for at, column in enumerate(_columns(blocks, height / line)):
        if at % columns == 0:
            _head(pdf, heading)
        _draw_column(pdf, column, MARGIN + at % columns * width, width, line)
    if not blocks:
        _head(pdf, heading)
    return bytes(pdf.output())


def _layout(blocks: Sequence[Seating], height: float) -> tuple[int, float]:
    """Return the number of columns and the line height: the fewest columns with lines easy to read."""
    line = _SMALLEST_LINE
    for columns in range(1, _MOST_COLUMNS + 1):
        line = _tallest(blocks, height, columns)
        if line >= _EASY_LINE:
            return columns, line
    return _MOST_COLUMNS, line


def _tallest(blocks: Sequence[Seating], height: float, columns: int) -> float:
    """Return the greatest line height, within limits, with which the blocks fit into the columns."""
    line = _TALLEST_LINE
    while line > _SMALLEST_LINE and len([*_columns(blocks, height / line)]) > columns:
        line -= 0.05
    return max(line, _SMALLEST_LINE)


def _lines(block: Seating) -> float:
    return len(block.names) + 1 + _GAP


def _columns(blocks: Sequence[Seating], room: float) -> Iterator[list[Seating]]:
    """Yield the blocks by column, with at most ``room`` lines in each; a block is never split."""
    column: list[Seating] = []
    used = 0.0
    for block in blocks:
        if column and used + _lines(block) > room:
            yield column
            column, used = [], 0.0
        column.append(block)
        used += _lines(block)
    if column:
        yield column


def _draw_column(pdf: FPDF, blocks: Sequence[Seating], left: float, width: float, line: float) -> None:
    top, inner = _TOP, width - 2
    for block in blocks:
        pdf.set_fill_color(SHADE)
        _line(pdf, left, top, inner, line, f"{block.title}  {block.label}".strip(), bold=True)
        for at, name in enumerate(block.names, 1):
            _line(pdf, left, top + at * line, inner, line, name)
        top += _lines(block) * line


def _line(
    pdf: FPDF, left: float, top: float, width: float, height: float, text: str, *, bold: bool = False
) -> None:
    pdf.set_font(FONT, "B" if bold else "", height * POINTS_PER_MM)
    pdf.set_xy(left, top)
    pdf.cell(width, height, fitted(pdf, text, width), fill=bold)


# ---- Standings -----------------------------------------------------------------------------------

_ROW: Final = 6.0
_HEADING_LINE: Final = 3.8
_HEADING_SIZE: Final = 7.5
_SMALLEST_HEADING: Final = 4.5
_RANK_WIDTH: Final = 12.0
_NAME_WIDTH: Final = 68.0  # at least
_NUMBER_WIDTH: Final = 21.0


def standings(heading: Heading, rankings: Sequence[Ranking]) -> bytes:
    """Return a PDF of standings, with column headings on each page; the second column is the widest."""
    pdf = document(heading.title)
    _head(pdf, heading)
    for ranking in rankings:
        _draw_ranking(pdf, heading, ranking)
    return bytes(pdf.output())


def _draw_ranking(pdf: FPDF, heading: Heading, ranking: Ranking) -> None:
    if _room(pdf) < 4 * _ROW:
        _head(pdf, heading)
    _draw_columns(pdf, ranking)
    for row in ranking.rows:
        if _room(pdf) < _ROW:
            _head(pdf, heading)
            _draw_columns(pdf, ranking)
        _draw_row(pdf, ranking, row)


def _room(pdf: FPDF) -> float:
    return float(pdf.h - MARGIN - pdf.get_y())


def _draw_columns(pdf: FPDF, ranking: Ranking) -> None:
    pdf.set_y(pdf.get_y() + 3)
    if ranking.group:
        pdf.set_font(FONT, "B", 12)
        pdf.cell(pdf.epw, 8, ranking.group, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.set_fill_color(SHADE)
    widths = _widths(pdf, ranking)
    pdf.set_font(FONT, "B", _heading_size(pdf, ranking.columns, widths))
    top, left = pdf.get_y(), MARGIN
    pdf.rect(left, top, pdf.epw, 2 * _HEADING_LINE, style="F")
    for at, (text, width) in enumerate(zip(ranking.columns, widths, strict=True)):
        for line, part in enumerate(_in_two(text)):
            pdf.set_xy(left, top + line * _HEADING_LINE)
            pdf.cell(width, _HEADING_LINE, fitted(pdf, part, width), align=_align(at))
        left += width
    pdf.set_xy(MARGIN, top + 2 * _HEADING_LINE)


def _heading_size(pdf: FPDF, columns: Sequence[str], widths: Sequence[float]) -> float:
    """Return the greatest size of headings, within limits, at which none of them is cut."""
    size = _HEADING_SIZE
    while size > _SMALLEST_HEADING and not _headings_fit(pdf, columns, widths, size):
        size -= 0.25
    return size


def _headings_fit(pdf: FPDF, columns: Sequence[str], widths: Sequence[float], size: float) -> bool:
    pdf.set_font(FONT, "B", size)
    return all(
        pdf.get_string_width(part) <= width - 2 * pdf.c_margin
        for text, width in zip(columns, widths, strict=True)
        for part in _in_two(text)
    )


def _in_two(text: str) -> tuple[str, str]:
    """Return a heading in two lines: the first word, and the rest."""
    first, _space, rest = text.partition(" ")
    return first, rest


def _align(column: int) -> Align:
    return Align.L if column == 1 else Align.R


def _draw_row(pdf: FPDF, ranking: Ranking, row: Sequence[str]) -> None:
    pdf.set_draw_color(LINE)
    for at, (text, width) in enumerate(zip(row, _widths(pdf, ranking), strict=True)):
        pdf.set_font(FONT, "B" if at == 0 else "", 9.5)
        pdf.cell(width, _ROW, fitted(pdf, text, width), border="B", align=_align(at))
    pdf.set_xy(MARGIN, pdf.get_y() + _ROW)


def _widths(pdf: FPDF, ranking: Ranking) -> Sequence[float]:
    numbers = len(ranking.columns) - 2
    each = min(_NUMBER_WIDTH, (pdf.epw - _RANK_WIDTH - _NAME_WIDTH) / max(1, numbers))
    return [_RANK_WIDTH, pdf.epw - _RANK_WIDTH - numbers * each, *[each] * numbers]


# ---- Table cards ---------------------------------------------------------------------------------

_CARD_HEIGHT: Final = 148.5
_NUMBER_SPACE: Final = 62.0
_CODE: Final = 34.0


def table_cards(heading: Heading, tables: Sequence[Seating]) -> bytes:
    """Return a PDF with a card for each table, two to a page."""
    pdf = document(heading.title)
    for at, table in enumerate(tables):
        if at % 2 == 0:
            pdf.add_page()
            pdf.set_draw_color(LINE)
            pdf.set_dash_pattern(dash=2, gap=2)
            pdf.line(0, _CARD_HEIGHT, pdf.w, _CARD_HEIGHT)
            pdf.set_dash_pattern()
        _draw_card(pdf, heading, table, at % 2 * _CARD_HEIGHT)
    if not tables:
        _head(pdf, heading)
    return bytes(pdf.output())


def _draw_card(pdf: FPDF, heading: Heading, table: Seating, top: float) -> None:
    pdf.set_xy(MARGIN, top + MARGIN)
    _draw_heading(pdf, heading, size=14)
    _draw_number(pdf, table, top + MARGIN + 18)
    _draw_names(pdf, table, top + MARGIN + 20)


def _draw_number(pdf: FPDF, table: Seating, top: float) -> None:
    number = table.title.rpartition(" ")[2]
    size = 96.0 if len(number) < 3 else 72.0
    pdf.set_font(FONT, "B", size)
    pdf.set_xy(MARGIN, top)
    pdf.cell(_NUMBER_SPACE, 40, number, align=Align.C)
    pdf.set_font(FONT, "", 11)
    pdf.set_xy(MARGIN, top + 40)
    pdf.cell(_NUMBER_SPACE, 7, fitted(pdf, table.label, _NUMBER_SPACE), align=Align.C)
    if table.url:
        draw_code(pdf, table.url, MARGIN + (_NUMBER_SPACE - _CODE) / 2, top + 52, _CODE)


def _draw_names(pdf: FPDF, table: Seating, top: float) -> None:
    left, width = MARGIN + _NUMBER_SPACE + 6, pdf.epw - _NUMBER_SPACE - 6
    line = min(16.0, 105.0 / max(1, len(table.names)))
    for at, name in enumerate(table.names):
        pdf.set_xy(left, top + at * line)
        pdf.set_font(FONT, "", 9)
        pdf.cell(8, line, str(at + 1), align=Align.R)
        _sized(pdf, name, width - 10, line)


def _sized(pdf: FPDF, name: str, width: float, height: float) -> None:
    """Write a name as big as it fits, and shorten it only where it would be too small to read."""
    size = min(22.0, height * 1.7)
    pdf.set_font(FONT, "B", size)
    while size > 11 and pdf.get_string_width(name) > width - 2 * pdf.c_margin:
        size -= 0.5
        pdf.set_font_size(size)
    pdf.cell(width, height, fitted(pdf, name, width))
