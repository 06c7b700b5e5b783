"""Draws a page of a score sheet with a column for each player, or for each side."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from games.engine.base import FormRow
from games.engine.messages import filled
from league.apps.prints.paper import MARGIN, SHADE, Paper
from league.apps.prints.score_sheets import ScoreSheet
from league.words.messages import translated

PORTRAIT_PLAYERS: Final = 6
MOST_DEALS: Final = 20
MOST_DEALS_ACROSS: Final = 12
MOST_DEALS_OF_LONG: Final = 24
"""The deals on a page, so that rows are high enough to write in; fewer on landscape pages."""
MOST_SIDE_BY_SIDE: Final = 4
"""The players whose columns are wide enough for two numbers."""
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


class SheetPage:
    """A page of a sheet: head, a row of names, two rows a deal, ranks, sides, signatures, legend.

    A page on which the sheet does not end leaves out ranks and sides. It is portrait for up to six players.
    """

    def __init__(self, pdf: Paper, sheet: ScoreSheet, *, ends: bool) -> None:
        self.pdf, self.sheet, self.ends = pdf, sheet, ends
        self.column = self._width(sheet.names)
        told = [translated(each) for each in sheet.form.legend]
        self.legend = [(each, LEGEND_LINE * self._lines(each)) for each in told]
        self.code_size = SEAT_QR if pdf.h > pdf.w else SEAT_QR_ACROSS
        self.row = min(11.0, (pdf.eph - self._fixed()) / max(1, self._rows()))

    @classmethod
    def is_wide(cls, sheet: ScoreSheet) -> bool:
        """Return whether pages of a sheet are landscape."""
        return len(sheet.names) > PORTRAIT_PLAYERS

    @classmethod
    def most_deals(cls, sheet: ScoreSheet) -> int:
        """Return how many deals a page of a sheet has."""
        return MOST_DEALS_ACROSS if cls.is_wide(sheet) else MOST_DEALS

    def _rows(self) -> int:
        """Return how many rows share the height that is left."""
        return 2 * len(self.sheet.form.rows) + (3 if self.sheet.sides else 1)

    def _fixed(self) -> float:
        """Return the height of what is not in such rows."""
        legend = sum(height for _told, height in self.legend) + 2
        names = NAME_HEIGHT * (2 if self.sheet.sides else 1)
        return HEAD_HEIGHT + names + self._code_height() + SIGNATURE_HEIGHT + legend

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


class LongSheetPage(SheetPage):
    """A page of a sheet of many deals, as a list of Skat: points and total of a deal are side by side."""

    @classmethod
    def fits(cls, sheet: ScoreSheet) -> bool:
        """Return whether a sheet has so many deals, and columns wide enough for two numbers."""
        alone = len(sheet.players or sheet.names) == len(sheet.names) <= MOST_SIDE_BY_SIDE
        return alone and len(sheet.form.rows) > MOST_DEALS and len(sheet.form.parts) < 2

    @classmethod
    def most_deals(cls, sheet: ScoreSheet) -> int:
        """Return how many deals a page of a sheet has."""
        return MOST_DEALS_OF_LONG

    def _rows(self) -> int:
        return len(self.sheet.form.rows) + (3 if self.sheet.sides else 1)

    def _fixed(self) -> float:
        return super()._fixed() + CODE_LINE

    def _names(self) -> None:
        super()._names()
        width = self.column / 2
        cells = [("", LABEL_WIDTH + TASK_WIDTH, Align.L)]
        cells += [
            (title, width, Align.C) for _name in self.sheet.names for title in (_("Points"), _("Total"))
        ]
        self.pdf.put_row(cells, CODE_LINE, size=7)

    def _round(self, line: FormRow) -> None:
        """Draw a deal in one line: what is written once, and points and total of each player."""
        pdf, top, row, dealer = self.pdf, self.pdf.get_y(), self.row, self._dealer(line.round)
        task, half = MARGIN + LABEL_WIDTH, self.column / 2
        pdf.rect(MARGIN, top, LABEL_WIDTH, row)
        pdf.rect(task, top, TASK_WIDTH, row)
        pdf.put(str(line.round), MARGIN, top, LABEL_WIDTH, row, size=11, bold=True)
        pdf.put(translated(line.task), task, top, TASK_WIDTH, row / 2, size=7, bold=True)
        pdf.put(translated(line.hint), task, top + row / 2, TASK_WIDTH, row / 2, size=7)
        pdf.set_fill_color(SHADE)
        for column in range(len(self.sheet.names)):
            left = task + TASK_WIDTH + column * self.column
            pdf.rect(left, top, half, row)
            pdf.rect(left + half, top, half, row, style="DF")
        if dealer is not None:
            self._deals(dealer, task + TASK_WIDTH + dealer * self.column, top)
        pdf.set_y(top + row)
