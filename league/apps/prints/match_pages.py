"""Draws the sheets of matches: both sides, their boards in order, room for each game, and both signatures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from fpdf.enums import Align

from league.apps.prints.match_sheets import Line, MatchSheet
from league.apps.prints.paper import MARGIN, SHADE, Paper
from league.files.file import Progress, no_progress

_MOST_ROWS: Final = 28
"""The games on a page, so that rows are high enough to write in."""
_TALLEST: Final = 13.0
_BOARD: Final = 22.0
_GAME: Final = 13.0
_BOX: Final = 17.0
"""The width of a box for one number."""
_SIDES: Final = 19.0
_TITLE: Final = 6.0
_RULE: Final = 4.2
_RULE_SIZE: Final = 8.0
_FOOT: Final = 42.0
"""The height of the line for date and place, and of those for the signatures."""


def match_sheets(sheets: Sequence[MatchSheet], progress: Progress = no_progress) -> bytes:
    """Return a PDF with a page for each match; with more for one of more games than a page has rows."""
    pdf = Paper(sheets[0].heading.title, sheets[0].heading.paper)
    for done, sheet in enumerate(sheets):
        progress(done, len(sheets))
        pages = [*_pages(sheet.lines)]
        for lines in pages:
            pdf.begin_page(sheet.heading)
            _Page(pdf, replace(sheet, lines=lines)).draw(ends=lines is pages[-1])
    return bytes(pdf.output())


def _pages(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Yield the boards of each page; one of more games than a page has rows is alone, with lower ones."""
    page: list[Line] = []
    for line in lines:
        if page and sum(each.games for each in (*page, line)) > _MOST_ROWS:
            yield tuple(page)
            page = []
        page.append(line)
    yield tuple(page)


class _Page:
    """A page of a match below its heading."""

    def __init__(self, pdf: Paper, sheet: MatchSheet) -> None:
        self.pdf, self.sheet = pdf, sheet
        self.where = (_("At home"), _("Away")) if sheet.of_teams else ("", "")
        self.game = _GAME if any(line.games > 1 for line in sheet.lines) else 0.0
        self.name = (pdf.epw - _BOARD - self.game - 4 * _BOX) / 2
        self.scores = MARGIN + pdf.epw - 4 * _BOX
        self.rules = [
            (each, _RULE * len(pdf.lines(each, pdf.epw, size=_RULE_SIZE) or ())) for each in sheet.rules
        ]
        fixed = _SIDES + 2 * _TITLE + sum(height for _rule, height in self.rules) + _FOOT
        rows = sum(line.games for line in sheet.lines) + 1
        self.row = min(_TALLEST, (pdf.h - MARGIN - pdf.get_y() - fixed) / rows)

    def draw(self, *, ends: bool) -> None:
        """Draw the page, with the total where the match ends on it."""
        self._sides()
        self._titles()
        for line in self.sheet.lines:
            self._line(line)
        if ends:
            self._row([(_("Total"), self.pdf.epw - 4 * _BOX), *_EMPTY * 4], self.row)
        self.pdf.set_y(self.pdf.get_y() + 1)
        for rule, height in self.rules:
            self.pdf.put_line(rule, height, size=_RULE_SIZE)
        self._foot()

    def _sides(self) -> None:
        pdf, top, half = self.pdf, self.pdf.get_y(), self.pdf.epw / 2
        for at, (side, where) in enumerate(zip(self.sheet.sides, self.where, strict=True)):
            pdf.put(where, MARGIN + at * half, top + 2, half, 4, size=9)
            pdf.put(side, MARGIN + at * half, top + 6, half, 11, size=18, bold=True)
        pdf.set_xy(MARGIN, top + _SIDES)

    def _titles(self) -> None:
        """Draw the titles; below those of scores and points, whose they are."""
        sheet, top = self.sheet, self.pdf.get_y()
        players = self.where if sheet.of_teams else sheet.sides
        first = (_("Board") if sheet.of_teams else _("Table"), _BOARD)
        tall = [first, *((each, self.name) for each in players), *self._if_games(_("Game"))]
        self._row(tall, 2 * _TITLE, shaded=True)
        self.pdf.set_xy(MARGIN, top)
        earned = _("Board points") if sheet.of_teams else _("Games won")
        self._row([(_("Score"), 2 * _BOX), (earned, 2 * _BOX)], _TITLE, self.scores, shaded=True)
        self._row([(each, _BOX) for each in 2 * players], _TITLE, self.scores, shaded=True)

    def _line(self, line: Line) -> None:
        """Draw a board: once where it is, who plays and what it is worth, and a row for each game."""
        pdf, top, height = self.pdf, self.pdf.get_y(), line.games * self.row
        where = (line.board, line.table) if line.board else (line.table, "")
        left = MARGIN
        for (told, small), width in zip((where, *line.players), (_BOARD, self.name, self.name), strict=True):
            pdf.rect(left, top, width, height)
            pdf.put(told, left, top, width, height - (4 if small else 0), size=11, bold=True)
            pdf.put(small, left, top + height - 5, width, 4, size=8)
            left += width
        for number in range(1, line.games + 1):
            pdf.set_y(top + (number - 1) * self.row)
            games_won = [] if self.sheet.of_teams else [*_EMPTY * 2]
            self._row([*self._if_games(str(number)), *_EMPTY * 2, *games_won], self.row, left)
        if self.sheet.of_teams:
            pdf.set_y(top)
            self._row([*_EMPTY * 2], height, self.scores + 2 * _BOX)
        pdf.set_xy(MARGIN, top + height)

    def _if_games(self, told: str) -> list[tuple[str, float]]:
        """Return the cell of a game, none where each board has one."""
        return [(told, self.game)] if self.game else []

    def _row(
        self,
        cells: Sequence[tuple[str, float]],
        height: float,
        left: float = MARGIN,
        *,
        shaded: bool = False,
    ) -> None:
        self.pdf.set_fill_color(SHADE)
        row = [(*cell, Align.C) for cell in cells]
        self.pdf.put_row(row, height, size=9, bold=True, box="DF" if shaded else "D", left=left)

    def _foot(self) -> None:
        """Draw the lines for date and place, and for the signature of each side."""
        pdf, top, half = self.pdf, self.pdf.h - MARGIN - _FOOT + 6, self.pdf.epw / 2
        signed = _("Captain of %(team)s") if self.sheet.of_teams else _("Signature of %(team)s")
        pdf.put(self.sheet.date_and_place, MARGIN, top, pdf.epw, 8, size=10)
        pdf.line(MARGIN, top + 8, MARGIN + pdf.epw, top + 8)
        pdf.put(_("Date and place"), MARGIN, top + 8.5, pdf.epw, 4.5, size=8)
        for at, side in enumerate(self.sheet.sides):
            left, width = MARGIN + at * (half + 4), half - 4
            pdf.line(left, top + 28, left + width, top + 28)
            pdf.put(signed % {"team": side}, left, top + 28.5, width, 6, size=8)


_EMPTY: Final = [("", _BOX)]
