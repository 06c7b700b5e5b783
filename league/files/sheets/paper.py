"""What all prints share: A4 documents, the font, and texts that fit."""

import unicodedata
from pathlib import Path
from typing import Final

import segno
from fpdf import FPDF
from fpdf.bidi import BidiParagraph

FONTS: Final = Path(__file__).parent / "fonts"
FONT: Final = "DejaVuCondensed"
MARGIN: Final = 12.0
SHADE: Final = 236
LINE: Final = 170
MISSING_GLYPH: Final = "▯"


def document(title: str) -> FPDF:
    """Return an empty document with millimetres as units."""
    pdf = FPDF(unit="mm", format="A4")
    pdf.set_auto_page_break(auto=False)
    pdf.set_margin(MARGIN)
    pdf.add_font(FONT, "", FONTS / "DejaVuSansCondensed.ttf")
    pdf.add_font(FONT, "B", FONTS / "DejaVuSansCondensed-Bold.ttf")
    pdf.set_title(title)
    return pdf


def fitted(pdf: FPDF, text: str, width: float) -> str:
    """Return a text as it is drawn in the current font, shortened to the width of a cell."""
    room = width - 2 * pdf.c_margin
    text = _with_letters(pdf, text)
    if pdf.get_string_width(text) <= room:
        return visual_order(text)
    while text and pdf.get_string_width(text + "…") > room:
        text = text[:-1]
    return visual_order(text.rstrip() + "…")


def _with_letters(pdf: FPDF, text: str) -> str:
    """Return a text with a box for each character that the font does not have."""
    has = pdf.current_font.cmap  # type: ignore[union-attr]
    return "".join(
        each if ord(each) in has or each.isspace() else MISSING_GLYPH
        for each in unicodedata.normalize("NFC", text)
    )


def visual_order(text: str) -> str:
    """Return a text in the order of drawing, also where parts are read from right to left."""
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in text):
        return str(BidiParagraph(text).get_reordered_string())
    return text


def draw_code(pdf: FPDF, url: str, left: float, top: float, size: float) -> None:
    """Draw a QR code of a URL as vector squares."""
    matrix = [list(row) for row in segno.make(url, error="m", micro=False).matrix]
    side = size / len(matrix)
    pdf.set_fill_color(0)
    for y, row in enumerate(matrix):
        for x, dark in enumerate(row):
            if dark:
                # Slightly wider than the grid: some viewers leave white lines between squares.
                pdf.rect(left + x * side, top + y * side, side + 0.02, side + 0.02, style="F")
