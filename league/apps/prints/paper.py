"""What all prints share: A4 or Letter pages, headings, texts in any script that always fit, and codes."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

import segno
from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.enums import Align, TextDirection, XPos, YPos
from fpdf.line_break import Fragment

from league.apps.prints.contents import A4, Heading
from league.apps.prints.scripts import MAIN, Run, path_of, runs

MARGIN: Final = 12.0
SHADE: Final = 236
LINE: Final = 170
PADDING: Final = 1.0
POINT: Final = 25.4 / 72
"""Millimetres."""
LEADING: Final = 1.18
"""The height of a line, in sizes of its font."""
SIGNING: Final = 16.0
"""The height of the lines for date, place and signature."""
_SIGNATURE: Final = 85.0
_WHOLE_WORDS: Final = 0.6
"""Words are broken only where even a text of this part of its size would be too wide."""
_STEP: Final = 0.96
_MEASURED_AT: Final = 1000.0


class Paper(FPDF):
    """A document with millimetres as units, whose texts may have letters of any script; A4 or ``letter``."""

    def __init__(self, title: str, size: str = A4) -> None:
        super().__init__(unit="mm", format=size)
        self.set_auto_page_break(auto=False)
        self.set_margin(MARGIN)
        self.add_font(MAIN, "", path_of(MAIN))
        self.add_font(MAIN, "B", path_of(f"{MAIN}-Bold"))
        self.set_title(title)
        self._widths: dict[tuple[str, bool], float] = {}

    # ---- Parts of a page -------------------------------------------------------------------------

    def begin_page(self, heading: Heading) -> None:
        """Begin a page with a heading."""
        self.add_page()
        self.put_heading(heading)

    def put_heading(self, heading: Heading, *, size: int = 16) -> None:
        """Write a heading; the title has two lines' height for a name that is long."""
        self.put_line(heading.title, size / 2, size=size, bold=True)
        self.put_line(" · ".join(filter(None, (heading.subtitle, heading.occasion))), 6, size=10)

    def put_row(
        self,
        cells: Iterable[tuple[str, float, Align]],
        height: float,
        *,
        size: float,
        bold: bool = False,
        box: str = "",
        left: float = MARGIN,
    ) -> None:
        """Write texts side by side, each with its width, and go to the line below; ``box`` styles boxes."""
        top = self.get_y()
        for text, width, align in cells:
            if box:
                self.rect(left, top, width, height, style=box)
            self.put(text, left, top, width, height, size=size, bold=bold, align=align)
            left += width
        self.set_xy(MARGIN, top + height)

    def put_signature(
        self, occasion: str, top: float, margin: float = MARGIN, align: Align = Align.L
    ) -> None:
        """Draw the line for date and place, filled in as far as they are known, and that for a signature."""
        self.set_draw_color(0)
        right = self.w - margin - _SIGNATURE
        for left, label, text in ((margin, _("Date and place"), occasion), (right, _("Signature"), "")):
            self.put(text, left, top, _SIGNATURE, 8, size=10, align=align)
            self.line(left, top + 9, left + _SIGNATURE, top + 9)
            self.put(label, left, top + 9.5, _SIGNATURE, 4.5, size=8, align=align)

    # ---- Boxes -----------------------------------------------------------------------------------

    def put(
        self,
        text: str,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        size: float,
        bold: bool = False,
        align: Align = Align.L,
    ) -> None:
        """Write a text into a box, in the middle of its height: smaller or in several lines where it must."""
        size, lines = self.fitted(text, width, height, size=size, bold=bold)
        each = size * LEADING * POINT
        first = top + (height - each * len(lines)) / 2
        for at, line in enumerate(lines):
            self._write(line, left, first + at * each, width, each, size, bold=bold, align=align)

    def put_line(self, text: str, height: float, *, size: float, bold: bool = False) -> None:
        """Write a text over the width of the page, and go to the line below it."""
        top = self.get_y()
        self.put(text, MARGIN, top, self.epw, height, size=size, bold=bold)
        self.set_xy(MARGIN, top + height)

    def fitted(
        self, text: str, width: float, height: float, *, size: float, bold: bool = False
    ) -> tuple[float, list[str]]:
        """Return the greatest size, up to a given one, at which a text fits into a box, and its lines."""
        least = size * _WHOLE_WORDS
        while True:
            room = int(height / (size * LEADING * POINT) + 1e-9)
            lines = self.lines(text, width, size=size, bold=bold, broken=size < least)
            if lines is not None and len(lines) <= room:
                return size, lines
            size *= _STEP

    def lines(
        self, text: str, width: float, *, size: float, bold: bool = False, broken: bool = True
    ) -> list[str] | None:
        """Return the lines that a text takes; None where a word is too wide and must not be ``broken``."""
        room = width - 2 * PADDING
        if self.width_of(text, size=size, bold=bold) <= room:
            return [text]
        lines = [""]
        for word in _words(text):
            line = lines[-1] + word
            if self.width_of(line.rstrip(), size=size, bold=bold) <= room:
                lines[-1] = line
            elif self.width_of(word.rstrip(), size=size, bold=bold) <= room:
                lines.append(word)
            elif broken:
                lines += self._pieces(lines.pop() + word, room, size=size, bold=bold)
            else:
                return None
        return [line.rstrip() for line in lines if line.strip()] or [""]

    def _pieces(self, word: str, room: float, *, size: float, bold: bool) -> list[str]:
        """Return the parts of a word that is too wide; at least one character each."""
        pieces: list[str] = []
        for cluster in _clusters(word):
            if pieces and self.width_of(pieces[-1] + cluster, size=size, bold=bold) <= room:
                pieces[-1] += cluster
            else:
                pieces.append(cluster)
        return pieces

    # ---- Runs ------------------------------------------------------------------------------------

    def width_of(self, text: str, *, size: float, bold: bool = False) -> float:
        """Return the width of a text in millimetres."""
        key = (text, bold)
        if key not in self._widths:
            self._widths[key] = sum(self._width_of_run(run, bold=bold) for run in runs(text))
        return self._widths[key] * size

    def _width_of_run(self, run: Run, *, bold: bool) -> float:
        """Return the width of a run in millimetres at a size of one point."""
        font = self.fonts[self._font_of(run, bold=bold)]
        self._set_direction(run)
        width = font.get_text_width(run.text, _MEASURED_AT, self.text_shaping)[1]
        self.set_text_shaping(use_shaping_engine=False)
        return width / _MEASURED_AT * POINT

    def _write(
        self,
        line: str,
        left: float,
        top: float,
        width: float,
        height: float,
        size: float,
        *,
        bold: bool,
        align: Align,
    ) -> None:
        spare = width - 2 * PADDING - self.width_of(line, size=size, bold=bold)
        left += PADDING + {Align.R: spare, Align.C: spare / 2}.get(align, 0.0)
        padding, self.c_margin = self.c_margin, 0.0
        for run in runs(line):
            family = self._font_of(run, bold=bold)
            self.set_font(
                MAIN if run.font == MAIN else family, "B" if bold and run.font == MAIN else "", size
            )
            self._set_direction(run)
            across = self._width_of_run(run, bold=bold) * size
            self._set_direction(run)
            self.set_xy(left, top)
            self.cell(across, height, run.text, new_x=XPos.RIGHT, new_y=YPos.TOP)
            left += across
        self.set_text_shaping(use_shaping_engine=False)
        self.c_margin = padding

    def _font_of(self, run: Run, *, bold: bool) -> str:
        """Return the key of a run's font, which is read where it is first used."""
        if run.font == MAIN:
            return MAIN.lower() + ("B" if bold else "")
        if run.font.lower() not in self.fonts:
            self.add_font(run.font, "", path_of(run.font))
        return run.font.lower()

    def _set_direction(self, run: Run) -> None:
        direction = TextDirection.RTL if run.leftwards else TextDirection.LTR
        self.set_text_shaping(run.shaped, direction=direction)
        if self.text_shaping:
            self.text_shaping |= {"fragment_direction": direction, "paragraph_direction": direction}

    def _preload_bidirectional_text(self, text: str, markdown: bool) -> Sequence[Fragment]:
        """Return the text as one part: it is a run, and the library would part marks from their letters."""
        return (Fragment(text, self._get_current_graphics_state(), self.k),) if text else ()

    # ---- Codes -----------------------------------------------------------------------------------

    def draw_code(self, url: str, left: float, top: float, size: float) -> None:
        """Draw a QR code of a URL as vector squares."""
        matrix = [list(row) for row in segno.make(url, error="m", micro=False).matrix]
        side = size / len(matrix)
        self.set_fill_color(0)
        for y, row in enumerate(matrix):
            x = 0
            for dark, squares in groupby(row):
                length = len([*squares])
                if dark:
                    # Slightly more than the grid: some viewers leave white lines between squares.
                    width, height = length * side + 0.02, side + 0.02
                    self.rect(left + x * side, top + y * side, width, height, style="F")
                x += length


def _words(text: str) -> Iterator[str]:
    """Yield the parts between which a line may break, with the spaces behind them; ideographs each."""
    word = ""
    for cluster in _clusters(text):
        if word and not cluster.isspace() and (_ends_word(word[-1]) or _wide(cluster[0]) or _wide(word[0])):
            yield word
            word = ""
        word += cluster
    if word:
        yield word


def _ends_word(character: str) -> bool:
    return character.isspace() or character in "-/"


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) == "W"


def _clusters(text: str) -> Iterator[str]:
    """Yield the letters of a text, each with its marks and joiners."""
    cluster = ""
    for character in text:
        apart = unicodedata.category(character) not in ("Mn", "Mc", "Me", "Cf")
        if cluster and apart and not cluster.endswith("\u200d"):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster
