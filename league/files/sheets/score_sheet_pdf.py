"""Draws score sheets as PDF, A4: portrait for up to six players, landscape for more."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from games.engine.base import FormRow
from games.engine.messages import filled
from league.files.file import Progress, no_progress
from league.files.sheets.model import ScoreSheet
from league.files.sheets.paper import MARGIN, SHADE, Paper
from league.words.messages import translated

PORTRAIT_PLAYERS: Final = 6
TASK_WIDTH: Final = 46.0
LABEL_WIDTH: Final = 14.0
HEAD_HEIGHT: Final = 28.0
NAME_HEIGHT: Final = 10.0
SEAT_QR: Final = 18.0
SEAT_QR_ACROSS: Final = 15.0  # on landscape pages, where rows are low
CODE_LINE: Final = 5.0
LEGEND_LINE: Final = 4.2
SIGNATURE_HEIGHT: Final = 9.0
QR_SIZE: Final = 24.0
TABLE_WIDTH: Final = 42.0


def score_sheets(sheets: Sequence[ScoreSheet], progress: Progress = no_progress) -> bytes:
    """Return a PDF with a page for each sheet."""
    pdf = Paper(sheets[0].title if sheets else "")
    for done, sheet in enumerate(sheets):
        progress(done, len(sheets))
        pdf.add_page(orientation="portrait" if len(sheet.names) <= PORTRAIT_PLAYERS else "landscape")
        Page(pdf, sheet).draw()
    return bytes(pdf.output())


class Page:
    """One sheet on its page: head, a row of names, two rows a round, ranks, sides, signatures, legend."""

    def __init__(self, pdf: Paper, sheet: ScoreSheet) -> None:
        self.pdf, self.sheet = pdf, sheet
        self.column = (pdf.epw - LABEL_WIDTH - TASK_WIDTH) / len(sheet.names)
        legend = LEGEND_LINE * len(sheet.form.legend) + 2
        rows = 2 * len(sheet.form.rows) + (3 if sheet.sides else 1)
        self.code_size = SEAT_QR if pdf.h > pdf.w else SEAT_QR_ACROSS
        names = NAME_HEIGHT * (2 if sheet.sides else 1)
        fixed = HEAD_HEIGHT + names + self._code_height() + SIGNATURE_HEIGHT + legend
        self.row = min(11.0, (pdf.eph - fixed) / max(1, rows))

    def draw(self) -> None:
        self._head()
        self._names()
        self._codes()
        for line in self.sheet.form.rows:
            self._round(line)
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
        for code in self.sheet.codes:
            pdf.rect(left, top, self.column, height)
            if code.url:
                pdf.draw_code(code.url, left + (self.column - self.code_size) / 2, top + 2, self.code_size)
            below = top + height - CODE_LINE
            pdf.put(code.text, left, below, self.column, CODE_LINE, size=10, bold=True, align=Align.C)
            left += self.column
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
        left, top = MARGIN, self.pdf.get_y()
        column = (self.pdf.epw - LABEL_WIDTH - TASK_WIDTH) / len(texts)
        for at, (text, width) in enumerate([*first, *((text, column) for text in texts)]):
            self.pdf.rect(left, top, width, height, style="DF" if fill else "D")
            align = Align.L if at < len(first) else Align.C
            self.pdf.put(text, left, top + 0.5, width, height - 1, size=9, bold=True, align=align)
            left += width
        self.pdf.set_xy(MARGIN, top + height)

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
        pdf, row, right = self.pdf, self.row, MARGIN + LABEL_WIDTH
        pdf.rect(MARGIN, top, LABEL_WIDTH, 2 * row)
        pdf.rect(right, top, TASK_WIDTH, 2 * row)
        pdf.put(str(line.round), MARGIN, top, LABEL_WIDTH, row, size=12, bold=True)
        pdf.put(translated(line.task), right, top, TASK_WIDTH, row, size=8.5, bold=True)
        pdf.put(_("total"), MARGIN, top + row, LABEL_WIDTH, row, size=7)
        pdf.put(translated(line.hint), right, top + row, TASK_WIDTH, row, size=7)

    def _dealer(self, number: int) -> int | None:
        first = self.sheet.form.first_dealer
        return None if first is None else (first + number - 1) % len(self.sheet.names)

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
        for text in self.sheet.form.legend:
            pdf.put_line(translated(text), LEGEND_LINE, size=7.5)
