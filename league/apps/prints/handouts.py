"""Draws what is handed out: score sheets, cards for the tables, and certificates."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from games.engine.values import replace
from league.apps.prints.contents import A4, Certificate, Heading, Seating, Slip
from league.apps.prints.paper import LINE, MARGIN, Paper
from league.apps.prints.printing import CARDS_ON_PAGE
from league.apps.prints.score_sheets import ScoreSheet
from league.apps.prints.seat_lines import SeatLines, needs_lines
from league.apps.prints.sheet_pages import LongSheetPage, SheetPage
from league.files.file import Progress, no_progress


def score_sheets(sheets: Sequence[ScoreSheet], progress: Progress = no_progress) -> bytes:
    """Return a PDF with the pages of each sheet.

    Each player has a column, or a line in each deal where columns would be too narrow for what is written.
    """
    pdf = Paper(*((sheets[0].title, sheets[0].paper) if sheets else ("",)))
    for done, sheet in enumerate(sheets):
        progress(done, len(sheets))
        kind = _kind(sheet)
        *before, last = _pages(sheet, kind.most_deals(sheet))
        for each in (*before, last):
            pdf.add_page(orientation="landscape" if kind.is_wide(sheet) else "portrait")
            kind(pdf, each, ends=each is last).draw()
    return bytes(pdf.output())


def _kind(sheet: ScoreSheet) -> type[SheetPage]:
    if needs_lines(sheet):
        return SeatLines
    return LongSheetPage if LongSheetPage.fits(sheet) else SheetPage


def _pages(sheet: ScoreSheet, most: int) -> list[ScoreSheet]:
    """Return a sheet page by page, each with about as many deals, at ``most`` so many."""
    rows = sheet.form.rows
    pages = max(1, -(-len(rows) // most))
    if pages == 1:
        return [sheet]
    each, told = -(-len(rows) // pages), _("%(title)s, page %(number)d of %(pages)d")
    return [
        replace(
            sheet,
            title=told % {"title": sheet.title, "number": at + 1, "pages": pages},
            form=replace(sheet.form, rows=rows[at * each : (at + 1) * each]),
        )
        for at in range(pages)
    ]


# ---- Table cards ---------------------------------------------------------------------------------

_NUMBER_SPACE: Final = 62.0
_CODE: Final = 34.0


def table_cards(heading: Heading, tables: Sequence[Seating], progress: Progress = no_progress) -> bytes:
    """Return a PDF with a card for each table, `CARDS_ON_PAGE` to a page."""
    pdf = Paper(heading.title, heading.paper)
    for at, table in enumerate(tables):
        if at % CARDS_ON_PAGE == 0:
            progress(at, len(tables))
            pdf.add_page()
            pdf.set_draw_color(LINE)
            pdf.set_dash_pattern(dash=2, gap=2)
            pdf.line(0, pdf.h / 2, pdf.w, pdf.h / 2)
            pdf.set_dash_pattern()
        _draw_card(pdf, heading, table, at % CARDS_ON_PAGE * pdf.h / CARDS_ON_PAGE)
    if not tables:
        pdf.begin_page(heading)
    return bytes(pdf.output())


def _draw_card(pdf: Paper, heading: Heading, table: Seating, top: float) -> None:
    pdf.set_xy(MARGIN, top + MARGIN)
    pdf.put_heading(heading, size=14)
    _draw_number(pdf, table, top + MARGIN + 18)
    _draw_names(pdf, table, top + MARGIN + 20)


def _draw_number(pdf: Paper, table: Seating, top: float) -> None:
    number = table.title.partition(" ")[2]
    pdf.put(number, MARGIN, top, _NUMBER_SPACE, 40, size=96, bold=True, align=Align.C)
    pdf.put(table.label, MARGIN, top + 40, _NUMBER_SPACE, 10, size=11, align=Align.C)
    if table.url:
        pdf.draw_code(table.url, MARGIN + (_NUMBER_SPACE - _CODE) / 2, top + 52, _CODE)


def _draw_names(pdf: Paper, table: Seating, top: float) -> None:
    left, width = MARGIN + _NUMBER_SPACE + 6, pdf.epw - _NUMBER_SPACE - 6
    line = min(16.0, (pdf.h / CARDS_ON_PAGE - MARGIN - 31.5) / max(1, len(table.names)))
    for at, (name, number) in enumerate(table.names):
        pdf.put(number, left, top + at * line, 8, line, size=9, align=Align.R)
        pdf.put(name, left + 9, top + at * line, width - 9, line, size=min(22.0, line * 1.7), bold=True)


# ---- Slips -------------------------------------------------------------------------------------------

_SLIPS_DOWN: Final = 5
_SLIP_CODE: Final = 34.0


def slips(title: str, people: Sequence[Slip], paper: str = A4) -> bytes:
    """Return a PDF with a slip for each person, ten on a page, with lines to cut along."""
    pdf = Paper(title, paper)
    for number, slip in enumerate(people):
        down, across = divmod(number % (2 * _SLIPS_DOWN), 2)
        if not (down or across):
            pdf.add_page()
        width, height = pdf.epw / 2, pdf.eph / _SLIPS_DOWN
        _draw_slip(pdf, title, slip, (MARGIN + across * width, MARGIN + down * height, width, height))
    return bytes(pdf.output())


def _draw_slip(pdf: Paper, title: str, slip: Slip, box: tuple[float, float, float, float]) -> None:
    left, top, width, height = box
    pdf.rect(left, top, width, height)
    room = width - 8 - (_SLIP_CODE + 2 if slip.url else 0)
    pdf.put(slip.name, left + 4, top + 4, room, 11, size=16, bold=True)
    pdf.put(title, left + 4, top + 15, room, 6, size=10)
    pdf.put(_("Your seat, the clock and your results on your phone:"), left + 4, top + 22, room, 10, size=9)
    pdf.put(slip.code, left + 4, top + 33, room, 8, size=13, bold=True)
    if slip.url:
        pdf.put(slip.url.partition("://")[2].partition("#")[0], left + 4, top + 41, room, 6, size=8)
        pdf.draw_code(slip.url, left + width - _SLIP_CODE - 4, top + 8, _SLIP_CODE)


# ---- To hang up ----------------------------------------------------------------------------------

_POSTER_CODE: Final = 120.0


def poster(title: str, subtitle: str, words: str, url: str, paper: str = A4) -> bytes:
    """Return a PDF of one page with a QR code that is read from afar, and the address to type."""
    pdf = Paper(title, paper)
    pdf.add_page()
    pdf.put_line(title, 18, size=32, bold=True)
    pdf.put_line(subtitle, 10, size=14)
    top = pdf.get_y() + 12
    pdf.draw_code(url, (pdf.w - _POSTER_CODE) / 2, top, _POSTER_CODE)
    pdf.put(words, MARGIN, top + _POSTER_CODE + 8, pdf.epw, 30, size=26, bold=True, align=Align.C)
    pdf.put(url.partition("://")[2], MARGIN, top + _POSTER_CODE + 42, pdf.epw, 14, size=10, align=Align.C)
    return bytes(pdf.output())


# ---- Certificates --------------------------------------------------------------------------------

_BORDER: Final = 10.0
_INNER: Final = 12.5
_LEFT: Final = 30.0


def certificates(drawn: Sequence[Certificate], progress: Progress = no_progress) -> bytes:
    """Return a PDF with a page for each certificate."""
    pdf = Paper(_("Certificates"), *(each.paper for each in drawn[:1]))
    for done, certificate in enumerate(drawn):
        progress(done, len(drawn))
        pdf.add_page(orientation="landscape")
        _draw_certificate(pdf, certificate)
    return bytes(pdf.output())


def _draw_certificate(pdf: Paper, certificate: Certificate) -> None:
    pdf.set_draw_color(23, 105, 74)
    pdf.set_line_width(1.2)
    pdf.rect(_BORDER, _BORDER, pdf.w - 2 * _BORDER, pdf.h - 2 * _BORDER)
    pdf.set_line_width(0.3)
    pdf.rect(_INNER, _INNER, pdf.w - 2 * _INNER, pdf.h - 2 * _INNER)
    parts = (
        (certificate.club, 20, 14, 16, False),
        (_("Certificate"), 36, 20, 38, True),
        (certificate.name, 68, 24, 34, True),
        (" · ".join(certificate.players), 93, 10, 13, False),
        (certificate.place, 106, 17, 28, True),
        (certificate.among, 122, 9, 12, False),
        (certificate.competition, 134, 13, 20, False),
    )
    width = pdf.w - 2 * _LEFT
    for text, top, height, size, bold in parts:
        pdf.put(text, _LEFT, top, width, height, size=size, bold=bold, align=Align.C)
    pdf.put_signature(certificate.occasion, 173, _LEFT + 5, Align.C)
    pdf.set_line_width(0.2)
