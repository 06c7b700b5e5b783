"""Draws standings for the wall, and cards for the tables."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from league.files.file import Progress, no_progress
from league.files.sheets.model import CARDS_ON_PAGE, Heading, Ranking, Seating
from league.files.sheets.paper import LINE, MARGIN, PADDING, SHADE, Paper

SIGNING: Final = 16.0
"""The height of the line for a signature."""


def head(pdf: Paper, heading: Heading) -> None:
    """Begin a page with a heading."""
    pdf.add_page()
    draw_heading(pdf, heading, size=16)


def draw_heading(pdf: Paper, heading: Heading, *, size: int) -> None:
    """Write a heading; the title has two lines' height for a name that is long."""
    pdf.put_line(heading.title, size / 2, size=size, bold=True)
    pdf.put_line(" · ".join(filter(None, (heading.subtitle, heading.occasion))), 6, size=10)


def signature_line(pdf: Paper, top: float, occasion: str) -> None:
    """Draw the line for date and place, filled in as far as they are known, and that for a signature."""
    each = (pdf.epw - 10) / 2
    parts = ((MARGIN, _("Date and place"), occasion), (MARGIN + each + 10, _("Signature"), ""))
    pdf.set_draw_color(0)
    for left, label, text in parts:
        pdf.put(text, left, top, each, SIGNING - 8, size=10)
        pdf.line(left, top + SIGNING - 7, left + each, top + SIGNING - 7)
        pdf.put(label, left, top + SIGNING - 6.5, each, 4.5, size=7.5)


# ---- Standings -----------------------------------------------------------------------------------

_ROW: Final = 6.0
_HEADING_LINE: Final = 3.8
_HEADING_SIZE: Final = 7.5
_RANK_WIDTH: Final = 12.0
_NAME_WIDTH: Final = 50.0  # at least
_NUMBER_WIDTH: Final = 17.0  # at least
_TEXT: Final = 9.5


def standings(heading: Heading, rankings: Sequence[Ranking], legend: str = "") -> bytes:
    """Return a PDF of standings, with column headings on each page; the second column is the widest.

    The legend stands below the last table.
    """
    pdf = Paper(heading.title)
    head(pdf, heading)
    for ranking in rankings:
        _draw_ranking(pdf, heading, ranking)
    if legend:
        pdf.put_line(legend, _ROW, size=_TEXT)
    if _room(pdf) < SIGNING:
        head(pdf, heading)
    signature_line(pdf, pdf.h - MARGIN - SIGNING, heading.occasion)
    return bytes(pdf.output())


def _draw_ranking(pdf: Paper, heading: Heading, ranking: Ranking) -> None:
    widths = _widths(pdf, ranking)
    if _room(pdf) < 4 * _ROW:
        head(pdf, heading)
    _draw_columns(pdf, ranking, widths)
    for row in ranking.rows:
        if _room(pdf) < _ROW:
            head(pdf, heading)
            _draw_columns(pdf, ranking, widths)
        _draw_row(pdf, row, widths)


def _room(pdf: Paper) -> float:
    return float(pdf.h - MARGIN - pdf.get_y())


def _draw_columns(pdf: Paper, ranking: Ranking, widths: Sequence[float]) -> None:
    pdf.set_y(pdf.get_y() + 3)
    if ranking.group:
        pdf.put_line(ranking.group, 8, size=12, bold=True)
    pdf.set_fill_color(SHADE)
    height = 2 * _HEADING_LINE
    top, left = pdf.get_y(), MARGIN
    pdf.rect(left, top, pdf.epw, height, style="F")
    headings = [*zip(ranking.columns, widths, strict=True)]
    size = min(pdf.fitted(text, width, height, size=_HEADING_SIZE, bold=True)[0] for text, width in headings)
    for at, (text, width) in enumerate(headings):
        pdf.put(text, left, top, width, height, size=size, bold=True, align=_align(at))
        left += width
    pdf.set_xy(MARGIN, top + height)


def _align(column: int) -> Align:
    return Align.L if column == 1 else Align.R


def _draw_row(pdf: Paper, row: Sequence[str], widths: Sequence[float]) -> None:
    top, left = pdf.get_y(), MARGIN
    for at, (text, width) in enumerate(zip(row, widths, strict=True)):
        pdf.put(text, left, top, width, _ROW, size=_TEXT, bold=at == 0, align=_align(at))
        left += width
    pdf.set_draw_color(LINE)
    pdf.line(MARGIN, top + _ROW, left, top + _ROW)
    pdf.set_xy(MARGIN, top + _ROW)


def _widths(pdf: Paper, ranking: Ranking) -> Sequence[float]:
    """Return the columns' widths: those of numbers as wide as their longest, as far as names leave room."""
    numbers = [
        max([_NUMBER_WIDTH, *(pdf.width_of(row[at], size=_TEXT) + 3 * PADDING for row in ranking.rows)])
        for at in range(2, len(ranking.columns))
    ]
    room = pdf.epw - _RANK_WIDTH - _NAME_WIDTH
    part = min(1.0, room / sum(numbers)) if numbers else 1.0
    wide = [number * part for number in numbers]
    return [_RANK_WIDTH, pdf.epw - _RANK_WIDTH - sum(wide), *wide]


# ---- Table cards ---------------------------------------------------------------------------------

_CARD_HEIGHT: Final = 148.5
_NUMBER_SPACE: Final = 62.0
_CODE: Final = 34.0


def table_cards(heading: Heading, tables: Sequence[Seating], progress: Progress = no_progress) -> bytes:
    """Return a PDF with a card for each table, `CARDS_ON_PAGE` to a page."""
    pdf = Paper(heading.title)
    for at, table in enumerate(tables):
        if at % CARDS_ON_PAGE == 0:
            progress(at, len(tables))
            pdf.add_page()
            pdf.set_draw_color(LINE)
            pdf.set_dash_pattern(dash=2, gap=2)
            pdf.line(0, _CARD_HEIGHT, pdf.w, _CARD_HEIGHT)
            pdf.set_dash_pattern()
        _draw_card(pdf, heading, table, at % CARDS_ON_PAGE * _CARD_HEIGHT)
    if not tables:
        head(pdf, heading)
    return bytes(pdf.output())


def _draw_card(pdf: Paper, heading: Heading, table: Seating, top: float) -> None:
    pdf.set_xy(MARGIN, top + MARGIN)
    draw_heading(pdf, heading, size=14)
    _draw_number(pdf, table, top + MARGIN + 18)
    _draw_names(pdf, table, top + MARGIN + 20)


def _draw_number(pdf: Paper, table: Seating, top: float) -> None:
    number = table.title.rpartition(" ")[2]
    pdf.put(number, MARGIN, top, _NUMBER_SPACE, 40, size=96, bold=True, align=Align.C)
    pdf.put(table.label, MARGIN, top + 40, _NUMBER_SPACE, 10, size=11, align=Align.C)
    if table.url:
        pdf.draw_code(table.url, MARGIN + (_NUMBER_SPACE - _CODE) / 2, top + 52, _CODE)


def _draw_names(pdf: Paper, table: Seating, top: float) -> None:
    left, width = MARGIN + _NUMBER_SPACE + 6, pdf.epw - _NUMBER_SPACE - 6
    line = min(16.0, 105.0 / max(1, len(table.names)))
    for at, (name, number) in enumerate(table.names):
        pdf.put(number, left, top + at * line, 8, line, size=9, align=Align.R)
        pdf.put(name, left + 9, top + at * line, width - 9, line, size=min(22.0, line * 1.7), bold=True)
