"""Draws a page of a score sheet with a line for each player in each deal, for games with much to write."""

from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from games.engine.base import FormRow
from league.apps.prints.paper import MARGIN, SHADE
from league.apps.prints.score_sheets import ScoreSheet
from league.apps.prints.sheet_pages import LABEL_WIDTH, NAME_HEIGHT, PORTRAIT_PLAYERS, TASK_WIDTH, SheetPage
from league.words.messages import translated

_PAPER: Final = 186.0
_PAPER_ACROSS: Final = 255.0
"""What the narrowest paper has between its margins."""
_NARROWEST: Final = 9.0
"""A number of three digits can be written into a box so wide."""
_NAME: Final = 36.0
_SUM: Final = 15.0
_TITLES: Final = 7.0
_MOST_LINES: Final = 26
_MOST_LINES_ACROSS: Final = 14
"""The lines on a page, so that each is high enough to write in."""


def needs_lines(sheet: ScoreSheet) -> bool:
    """Return whether more is written for each player than fits into a column."""
    paper = _PAPER if len(sheet.names) <= PORTRAIT_PLAYERS else _PAPER_ACROSS
    column = (paper - LABEL_WIDTH - TASK_WIDTH) / len(sheet.names)
    parts = len(sheet.form.parts)
    return parts > 1 and column / parts < _NARROWEST


class SeatLines(SheetPage):
    """A page of a sheet whose deals have a line for each player, with a box for each part of a result."""

    @classmethod
    def is_wide(cls, sheet: ScoreSheet) -> bool:
        """Return whether the parts of a result need the width of a landscape page."""
        return _room(_PAPER, sheet) / len(sheet.form.parts) < _NARROWEST

    @classmethod
    def most_deals(cls, sheet: ScoreSheet) -> int:
        """Return how many deals a page of a sheet has."""
        return max(1, (_MOST_LINES_ACROSS if cls.is_wide(sheet) else _MOST_LINES) // len(sheet.names))

    def _rows(self) -> int:
        return len(self.sheet.form.rows) * len(self.sheet.names) + (3 if self.sheet.sides else 1)

    def _fixed(self) -> float:
        return super()._fixed() + _TITLES

    @property
    def _boxes(self) -> list[tuple[str, float]]:
        """Return the title and the width of each box of a line, after its name."""
        parts = self.sheet.form.parts
        width = _room(self.pdf.epw, self.sheet) / len(parts)
        sums = [(_("Points"), _SUM), (_("Total"), _SUM)]
        return [*((translated(part), width) for part in parts), *sums]

    def draw(self) -> None:
        """Draw the deals, and below them a column for each player with place and signature."""
        self._head()
        if self.sheet.codes:
            self._names()
            self._codes()
        self._titles()
        for line in self.sheet.form.rows:
            self._round(line)
        if not self.sheet.codes:
            self._names()
        if self.ends:
            self._winner()
            self._sides()
        self._signatures()
        self._legend()

    def _names(self) -> None:
        self.pdf.set_fill_color(SHADE)
        self._row("", "", self.sheet.names, NAME_HEIGHT, fill=True)

    def _titles(self) -> None:
        first = [(_("Deal"), LABEL_WIDTH)]
        if width := _task_width(self.sheet):
            first.append((translated(self.sheet.form.heading), width))
        first.append((_("Team") if self.sheet.form.by_side else _("Player"), _NAME))
        cells = [(*each, Align.L) for each in first] + [(*each, Align.C) for each in self._boxes]
        self.pdf.set_fill_color(SHADE)
        self.pdf.put_row(cells, _TITLES, size=7.5, bold=True, box="DF")

    def _round(self, line: FormRow) -> None:
        """Draw a deal: its number and what is written once, and beside them the line of each player."""
        pdf, top, dealer = self.pdf, self.pdf.get_y(), self._dealer(line.round)
        height, width = self.row * len(self.sheet.names), _task_width(self.sheet)
        pdf.rect(MARGIN, top, LABEL_WIDTH, height)
        pdf.put(str(line.round), MARGIN, top, LABEL_WIDTH, height, size=12, bold=True)
        if width:
            left = MARGIN + LABEL_WIDTH
            pdf.rect(left, top, width, height)
            pdf.put(translated(line.task), left, top, width, height / 2, size=8.5, bold=True)
            pdf.put(translated(line.hint), left, top + height / 2, width, height / 2, size=7)
        for at, name in enumerate(self.sheet.names):
            self._line(name, MARGIN + LABEL_WIDTH + width, top + at * self.row)
            if dealer is not None and at == dealer % len(self.sheet.names):
                self._deals(dealer, MARGIN + LABEL_WIDTH + width, top + at * self.row)
        pdf.set_y(top + height)

    def _line(self, name: str, left: float, top: float) -> None:
        pdf = self.pdf
        pdf.rect(left, top, _NAME, self.row)
        pdf.put(name, left + 4, top, _NAME - 4, self.row, size=8)
        left += _NAME
        for _title, width in self._boxes:
            pdf.rect(left, top, width, self.row)
            left += width

    def _deals(self, dealer: int, left: float, top: float) -> None:
        """Draw the dot of the dealer before the line; of partners, the dealer's name at its left."""
        pdf, sheet = self.pdf, self.sheet
        pdf.set_fill_color(0)
        pdf.circle(left + 2.4, top + self.row / 2, 1.1, style="F")
        if len(sheet.players) > len(sheet.names) and sheet.players[dealer]:
            first = top - dealer % len(sheet.names) * self.row
            below = first + len(sheet.names) * self.row - 4
            pdf.put(sheet.players[dealer], MARGIN, below, LABEL_WIDTH, 4, size=6)


def _task_width(sheet: ScoreSheet) -> float:
    """Return the width of what is written once in a deal, 0 where nothing is."""
    return TASK_WIDTH if any(row.task or row.hint for row in sheet.form.rows) else 0.0


def _room(paper: float, sheet: ScoreSheet) -> float:
    """Return what the parts of a result share of the width of a paper."""
    return paper - LABEL_WIDTH - _task_width(sheet) - _NAME - 2 * _SUM
