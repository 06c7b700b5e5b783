"""Draws score sheets as PDF, A4: portrait for up to six players, landscape for more."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import Align, XPos, YPos

from games.engine.base import FormRow
from league.files.sheets.model import ScoreSheet
from league.files.sheets.paper import FONT, MARGIN, SHADE, document, draw_code, fitted
from league.words.messages import translated

PORTRAIT_PLAYERS: Final = 6
TASK_WIDTH: Final = 46.0
LABEL_WIDTH: Final = 14.0
HEAD_HEIGHT: Final = 28.0
NAME_HEIGHT: Final = 10.0
LEGEND_LINE: Final = 4.2
QR_SIZE: Final = 24.0


def score_sheets(sheets: Sequence[ScoreSheet]) -> bytes:
    """Return a PDF with a page for each sheet."""
    pdf = document(sheets[0].title if sheets else "")
    for sheet in sheets:
        pdf.add_page(orientation="portrait" if len(sheet.names) <= PORTRAIT_PLAYERS else "landscape")
        Page(pdf, sheet).draw()
    return bytes(pdf.output())


class Page:
    """One sheet on its page: head, a row of names, two rows a round, ranks, legend."""

    def __init__(self, pdf: FPDF, sheet: ScoreSheet) -> None:
        self.pdf, self.sheet = pdf, sheet
        self.column = (pdf.epw - LABEL_WIDTH - TASK_WIDTH) / len(sheet.names)
        legend = LEGEND_LINE * len(sheet.form.legend) + 2
        rows = 2 * len(sheet.form.rows) + 1
        self.row = min(11.0, (pdf.eph - HEAD_HEIGHT - NAME_HEIGHT - legend) / rows)

    def draw(self) -> None:
        self._head()
        self._names()
        for line in self.sheet.form.rows:
            self._round(line)
        self._winner()
        self._legend()

    def _head(self) -> None:
        pdf = self.pdf
        if self.sheet.form_url:
            draw_code(pdf, self.sheet.form_url, pdf.w - MARGIN - QR_SIZE, MARGIN, QR_SIZE)
        pdf.set_font(FONT, "B", 17)
        pdf.cell(pdf.epw - QR_SIZE, 9, self.sheet.title, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        pdf.set_font(FONT, "", 10)
        pdf.multi_cell(pdf.epw - QR_SIZE - 4, 5, self.sheet.subtitle, align=Align.L)
        pdf.set_xy(MARGIN, MARGIN + HEAD_HEIGHT)

    def _names(self) -> None:
        pdf = self.pdf
        pdf.set_font(FONT, "B", 9)
        pdf.set_fill_color(SHADE)
        pdf.cell(LABEL_WIDTH, NAME_HEIGHT, _("Round"), border=1, fill=True)
        pdf.cell(TASK_WIDTH, NAME_HEIGHT, translated(self.sheet.form.heading), border=1, fill=True)
        for name in self.sheet.names:
            pdf.cell(
                self.column, NAME_HEIGHT, fitted(pdf, name, self.column), border=1, fill=True, align=Align.C
            )
        self._next_row(NAME_HEIGHT)

    def _round(self, line: FormRow) -> None:
        """Draw a round: a row for points with a dot for the dealer, and a row for totals."""
        pdf, top = self.pdf, self.pdf.get_y()
        self._task(line, top)
        for player in range(len(self.sheet.names)):
            left = MARGIN + LABEL_WIDTH + TASK_WIDTH + player * self.column
            pdf.rect(left, top, self.column, self.row)
            pdf.set_fill_color(SHADE)
            pdf.rect(left, top + self.row, self.column, self.row, style="DF")
            if player == self._dealer(line.round):
                pdf.set_fill_color(0)
                pdf.circle(left + 2.6, top + 2.6, 1.1, style="F")
        pdf.set_y(top + 2 * self.row)

    def _task(self, line: FormRow, top: float) -> None:
        pdf = self.pdf
        pdf.rect(MARGIN, top, LABEL_WIDTH, 2 * self.row)
        pdf.rect(MARGIN + LABEL_WIDTH, top, TASK_WIDTH, 2 * self.row)
        self._text(MARGIN, top, LABEL_WIDTH, str(line.round), "B", 12)
        self._text(MARGIN + LABEL_WIDTH, top, TASK_WIDTH, translated(line.task), "B", 8.5)
        self._text(MARGIN, top + self.row, LABEL_WIDTH, _("total"), "", 7)
        self._text(MARGIN + LABEL_WIDTH, top + self.row, TASK_WIDTH, translated(line.hint), "", 7)

    def _text(self, left: float, top: float, width: float, text: str, style: str, size: float) -> None:
        """Write one line into a box, in a smaller size where it would not fit."""
        pdf = self.pdf
        pdf.set_xy(left, top)
        pdf.set_font(FONT, style, size)
        while pdf.get_string_width(text) > width - 2 * pdf.c_margin and size > 4:
            size -= 0.5
            pdf.set_font_size(size)
        pdf.cell(width, self.row, text)

    def _dealer(self, number: int) -> int | None:
        first = self.sheet.form.first_dealer
        return None if first is None else (first + number - 1) % len(self.sheet.names)

    def _winner(self) -> None:
        pdf = self.pdf
        pdf.set_x(MARGIN)
        pdf.set_font(FONT, "B", 10)
        pdf.cell(LABEL_WIDTH + TASK_WIDTH, self.row, translated(self.sheet.form.placing), border=1)
        for _name in self.sheet.names:
            pdf.cell(self.column, self.row, "", border=1)
        self._next_row(self.row)

    def _legend(self) -> None:
        pdf = self.pdf
        pdf.set_font(FONT, "", 7.5)
        pdf.set_y(pdf.get_y() + 1.5)
        for text in self.sheet.form.legend:
            pdf.cell(pdf.epw, LEGEND_LINE, translated(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _next_row(self, height: float) -> None:
        self.pdf.set_xy(MARGIN, self.pdf.get_y() + height)
