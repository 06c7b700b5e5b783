"""Draws what is handed out: score sheets, cards for the tables, and certificates."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from games.engine.base import FormRow
from games.engine.messages import filled
from games.engine.values import replace
from league.apps.prints.contents import Certificate, Heading, Seating, Slip
from league.apps.prints.paper import LINE, MARGIN, SHADE, Paper
from league.apps.prints.printing import CARDS_ON_PAGE
from league.apps.prints.score_sheets import ScoreSheet
from league.files.file import Progress, no_progress
from league.words.messages import translated

PORTRAIT_PLAYERS: Final = 6
TASK_WIDTH: Final = 50.0
LABEL_WIDTH: Final = 14.0
HEAD_HEIGHT: Final = 28.0
NAME_HEIGHT: Final = 10.0
SEAT_QR: Final = 18.0
SEAT_QR_ACROSS: Final = 15.0  # on landscape pages, where rows are low
CODE_LINE: Final = 5.0
PART_LINE: Final = 2.6
PART_SIZE: Final = 5.5
LEGEND_LINE: Final = 4.2
LEGEND_SIZE: Final = 7.5
SIGNATURE_HEIGHT: Final = 9.0
QR_SIZE: Final = 24.0
TABLE_WIDTH: Final = 42.0
MOST_DEALS: Final = 20
MOST_DEALS_ACROSS: Final = 12
"""The deals on a page, so that rows are high enough to write in; fewer on landscape pages."""


def score_sheets(sheets: Sequence[ScoreSheet], progress: Progress = no_progress) -> bytes:
    """Return a PDF with the pages of each sheet: portrait for up to six players, landscape for more."""
    pdf = Paper(sheets[0].title if sheets else "")
    for done, sheet in enumerate(sheets):
        progress(done, len(sheets))
        *before, last = _pages(sheet)
        for each in (*before, last):
            pdf.add_page(orientation="landscape" if _is_wide(sheet) else "portrait")
            _SheetPage(pdf, each, ends=each is last).draw()
    return bytes(pdf.output())


def _is_wide(sheet: ScoreSheet) -> bool:
    return len(sheet.names) > PORTRAIT_PLAYERS


def _pages(sheet: ScoreSheet) -> list[ScoreSheet]:
    """Return a sheet page by page, each with about as many deals."""
    rows = sheet.form.rows
    pages = max(1, -(-len(rows) // (MOST_DEALS_ACROSS if _is_wide(sheet) else MOST_DEALS)))
    if pages == 1:
        return [sheet]
    most, told = -(-len(rows) // pages), _("%(title)s, page %(number)d of %(pages)d")
    return [
        replace(
            sheet,
            title=told % {"title": sheet.title, "number": at + 1, "pages": pages},
            form=replace(sheet.form, rows=rows[at * most : (at + 1) * most]),
        )
        for at in range(pages)
    ]


class _SheetPage:
    """A page of a sheet: head, a row of names, two rows a deal, ranks, sides, signatures, legend.

    A page on which the sheet does not end leaves out ranks and sides.
    """

    def __init__(self, pdf: Paper, sheet: ScoreSheet, *, ends: bool) -> None:
        self.pdf, self.sheet, self.ends = pdf, sheet, ends
        self.column = self._width(sheet.names)
        told = [translated(each) for each in sheet.form.legend]
        self.legend = [(each, LEGEND_LINE * self._lines(each)) for each in told]
        legend = sum(height for _told, height in self.legend) + 2
        rows = 2 * len(sheet.form.rows) + (3 if sheet.sides else 1)
        self.code_size = SEAT_QR if pdf.h > pdf.w else SEAT_QR_ACROSS
        names = NAME_HEIGHT * (2 if sheet.sides else 1)
        fixed = HEAD_HEIGHT + names + self._code_height() + SIGNATURE_HEIGHT + legend
        self.row = min(11.0, (pdf.eph - fixed) / max(1, rows))

    def _width(self, columns: Sequence[object]) -> float:
        return (self.pdf.epw - LABEL_WIDTH - TASK_WIDTH) / len(columns)

    def _lines(self, told: str) -> int:
        return len(self.pdf.lines(told, self.pdf.epw, size=LEGEND_SIZE) or ())

    def draw(self) -> None:
        self._head()
        self._names()
        self._codes()
        for line in self.sheet.form.rows:
            self._round(line)
        if self.ends:
            self._winner()
            self._sides()
        self._signatures()
        self._legend()

    def _head(self) -> None:
        pdf, width = self.pdf, self.pdf.epw - QR_SIZE - 4
        title = width - TABLE_WIDTH if self.sheet.table else width
        if self.sheet.form_url and not self.sheet.codes:
            pdf.draw_code(self.sheet.form_url, pdf.w - MARGIN - QR_SIZE, MARGIN, QR_SIZE)
        pdf.put(self.sheet.title, MARGIN, MARGIN, title, 9, size=17, bold=True)
        # Found at a glance by who hands the sheets out.
        pdf.put(self.sheet.table, MARGIN + title, MARGIN, TABLE_WIDTH, 9, size=21, bold=True, align=Align.R)
        for at, line in enumerate(self.sheet.subtitle.splitlines()):
            pdf.put(line, MARGIN, MARGIN + 9 + 5 * at, width, 5, size=10)
        pdf.set_xy(MARGIN, MARGIN + HEAD_HEIGHT)

    def _names(self) -> None:
        self.pdf.set_fill_color(SHADE)
        self._row(_("Deal"), translated(self.sheet.form.heading), self.sheet.names, NAME_HEIGHT, fill=True)

    def _code_height(self) -> float:
        """Return the height of the row with the seats' codes: nothing without them."""
        if not self.sheet.codes:
            return 0.0
        return CODE_LINE + (self.code_size + 3 if self.sheet.enter_url else 0.0)

    def _codes(self) -> None:
        """Draw what opens the score card for each seat: a QR code, and below it the same code to type."""
        pdf, top, height = self.pdf, self.pdf.get_y(), self._code_height()
        if not self.sheet.codes:
            return
        left, first = MARGIN, LABEL_WIDTH + TASK_WIDTH
        pdf.rect(left, top, first, height)
        pdf.put(self._how_to_use_codes(), left, top + 0.5, first, height - 1, size=8.5)
        left += first
        column = self._width(self.sheet.codes)
        for code in self.sheet.codes:
            pdf.rect(left, top, column, height)
            if code.url:
                pdf.draw_code(code.url, left + (column - self.code_size) / 2, top + 2, self.code_size)
            below = top + height - CODE_LINE
            pdf.put(code.text, left, below, column, CODE_LINE, size=10, bold=True, align=Align.C)
            left += column
        pdf.set_xy(MARGIN, top + height)

    def _how_to_use_codes(self) -> str:
        if not self.sheet.enter_url:
            return _("Code of each seat, to enter scores without an account.")
        return filled(
            _(
                "Enter the scores without an account: scan the code of your seat, or type it at %(address)s. "
                "An opponent confirms them with their own code, on another phone."
            ),
            {"address": self.sheet.enter_url.partition("://")[2]},
        )

    def _row(
        self, label: str, heading: str, texts: Sequence[str], height: float, *, fill: bool = False
    ) -> None:
        """Draw a row of boxes: label, heading and a text for each player or side; no box for no heading."""
        first = (
            [(label, LABEL_WIDTH), (heading, TASK_WIDTH)] if heading else [(label, LABEL_WIDTH + TASK_WIDTH)]
        )
        column = self._width(texts)
        cells = [*((*each, Align.L) for each in first), *((text, column, Align.C) for text in texts)]
        self.pdf.put_row(cells, height, size=9, bold=True, box="DF" if fill else "D")

    def _round(self, line: FormRow) -> None:
        """Draw a round: a row for points with a dot for the dealer, and a row for totals."""
        pdf, top, dealer = self.pdf, self.pdf.get_y(), self._dealer(line.round)
        self._task(line, top)
        for column in range(len(self.sheet.names)):
            left = MARGIN + LABEL_WIDTH + TASK_WIDTH + column * self.column
            pdf.rect(left, top, self.column, self.row)
            pdf.set_fill_color(SHADE)
            pdf.rect(left, top + self.row, self.column, self.row, style="DF")
            self._parts(left, top)
            if dealer is not None and column == dealer % len(self.sheet.names):
                self._deals(dealer, left, top)
        pdf.set_y(top + 2 * self.row)

    def _deals(self, dealer: int, left: float, top: float) -> None:
        """Draw the dot of the dealer; below what is written in parts, beside the name of one of partners."""
        below = top + self.row if len(self.sheet.form.parts) > 1 else top
        self.pdf.set_fill_color(0)
        self.pdf.circle(left + 2.6, below + 2.6, 1.1, style="F")
        if len(self.sheet.players) > len(self.sheet.names):
            self.pdf.put(self.sheet.players[dealer], left + 4, top + self.row, 30, 5.2, size=7)

    def _parts(self, left: float, top: float) -> None:
        """Divide a column's row for points where several parts of a result are written."""
        parts = self.sheet.form.parts
        width = self.column / max(1, len(parts))
        for at, part in enumerate(parts if len(parts) > 1 else ()):
            if at:
                self.pdf.line(left + at * width, top, left + at * width, top + self.row)
            self.pdf.put(translated(part), left + at * width, top, width, PART_LINE, size=PART_SIZE)

    def _task(self, line: FormRow, top: float) -> None:
        pdf, row, right = self.pdf, self.row, MARGIN + LABEL_WIDTH
        pdf.rect(MARGIN, top, LABEL_WIDTH, 2 * row)
        pdf.rect(right, top, TASK_WIDTH, 2 * row)
        pdf.put(str(line.round), MARGIN, top, LABEL_WIDTH, row, size=12, bold=True)
        pdf.put(translated(line.task), right, top, TASK_WIDTH, row, size=8.5, bold=True)
        pdf.put(_("total"), MARGIN, top + row, LABEL_WIDTH, row, size=7)
        pdf.put(translated(line.hint), right, top + row, TASK_WIDTH, row, size=7)

    def _dealer(self, number: int) -> int | None:
        first = self.sheet.form.first_dealer
        return None if first is None else (first + number - 1) % len(self.sheet.players or self.sheet.names)

    def _winner(self) -> None:
        self._row(translated(self.sheet.form.placing), "", [""] * len(self.sheet.names), self.row)

    def _sides(self) -> None:
        """Draw what each side came to, where players share one: its total and its place."""
        if sides := self.sheet.sides:
            self.pdf.set_fill_color(SHADE)
            self._row(_("Team"), "", sides, NAME_HEIGHT, fill=True)
            self._row(self.sheet.side_total, "", [""] * len(sides), self.row)
            self._row(_("The team’s place"), "", [""] * len(sides), self.row)

    def _signatures(self) -> None:
        self._row(_("Signatures"), "", [""] * len(self.sheet.names), SIGNATURE_HEIGHT)

    def _legend(self) -> None:
        pdf = self.pdf
        pdf.set_y(pdf.get_y() + 1.5)
        for told, height in self.legend:
            pdf.put_line(told, height, size=LEGEND_SIZE)


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
        pdf.begin_page(heading)
    return bytes(pdf.output())


def _draw_card(pdf: Paper, heading: Heading, table: Seating, top: float) -> None:
    pdf.set_xy(MARGIN, top + MARGIN)
    pdf.put_heading(heading, size=14)
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


# ---- Slips -------------------------------------------------------------------------------------------

_SLIPS_DOWN: Final = 5
_SLIP_CODE: Final = 34.0


def slips(title: str, people: Sequence[Slip]) -> bytes:
    """Return a PDF with a slip for each person, ten on a page, with lines to cut along."""
    pdf = Paper(title)
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


def poster(title: str, subtitle: str, words: str, url: str) -> bytes:
    """Return a PDF of one page with a QR code that is read from afar, and the address to type."""
    pdf = Paper(title)
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
    pdf = Paper(_("Certificates"))
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
