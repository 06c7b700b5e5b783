"""Draws brackets for the wall, one page for each."""

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from games.engine.messages import filled
from league.core.formats import Bracket, Match
from league.files.sheets.model import Heading
from league.files.sheets.notices import draw_heading
from league.files.sheets.paper import LINE, MARGIN, Paper
from league.words.messages import translated
from league.words.values import exact

_TOP = MARGIN + 18
_TALLEST_SLOT = 9.0
_WIDEST_BOX = 62.0
_APART = 6.0
_POINTS_PER_MM = 1.9
_NOTE = 5.0


def bracket_pages(heading: Heading, brackets: Sequence[Bracket]) -> bytes:
    """Return a PDF with a page for each bracket, on which all of it fits."""
    pdf = Paper(heading.title)
    for bracket in brackets:
        pdf.add_page(orientation="landscape" if len(bracket.columns) > 2 else "portrait")
        draw_heading(pdf, heading, size=16)
        if bracket.title:
            pdf.put_line(translated(bracket.title), 6, size=11, bold=True)
        _Page(pdf, bracket).draw()
    return bytes(pdf.output())


class _Page:
    """A bracket on its page."""

    def __init__(self, pdf: Paper, bracket: Bracket) -> None:
        self.pdf, self.bracket = pdf, bracket
        columns = max(1, len(bracket.columns))
        self.width = min(_WIDEST_BOX, (pdf.epw + _APART) / columns - _APART)
        room = pdf.h - MARGIN - _TOP - 8 - _NOTE * len(bracket.level)
        self.slot = min(_TALLEST_SLOT, room / max(1.0, bracket.height))

    def draw(self) -> None:
        for at, column in enumerate(self.bracket.columns):
            for match in column.matches:
                self._match(match, MARGIN + at * (self.width + _APART))
        self._lines()
        self._notes()

    def _height(self, centre: float) -> float:
        return _TOP + 8 + centre * self.slot

    def _match(self, match: Match, left: float) -> None:
        pdf, size = self.pdf, self.slot * _POINTS_PER_MM
        top = self._height(match.centre - len(match.slots) / 2)
        pdf.set_draw_color(0)
        if match.label:
            pdf.put(
                translated(match.label),
                left,
                top - self.slot * 0.7,
                self.width,
                self.slot * 0.7,
                size=size * 0.7,
            )
        for at, slot in enumerate(match.slots):
            height = top + at * self.slot
            score = "" if slot.score is None else exact(slot.score)
            aside = self.width * 0.2 if score else 0.0
            pdf.rect(left, height, self.width, self.slot)
            pdf.put(slot.name, left, height, self.width - aside, self.slot, size=size, bold=slot.advanced)
            pdf.put(score, left + self.width - aside, height, aside or 10, self.slot, size=size)

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
