"""Draws the picture of a finished game: a table, who has won, and each player with final points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Final

from league.apps.prints.scripts import MAIN, Run, path_of, runs

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH: Final = 1200
HEIGHT: Final = 630
_FINE: Final = 2
"""All is drawn so many times as big, so that round edges are smooth."""
_TINTS: Final = (
    *("#4338ca", "#b3261e", "#0369a1", "#b0410c", "#7e22ce"),
    *("#447007", "#be185d", "#0f766e", "#854d0e", "#57534e"),
)
"""The colours of players, as in the style sheet."""
_FELT, _DEEP, _RIM, _INK, _SOFT, _GOLD = "#1f6b52", "#062319", "#6b4226", "#ffffff", "#c3dccf", "#ffd982"
_CARDS: Final = (("A", "♠", "#16181d"), ("K", "♥", "#b3261e"), ("7", "♣", "#16181d"), ("Q", "♦", "#b3261e"))
_LEFT, _RIGHT, _TOP, _BOTTOM, _GAP = 64, WIDTH - 64, 272, HEIGHT - 44, 16
_ROW: Final = 100
"""The most height of a player's row."""


@dataclass(frozen=True)
class Placed:
    """A seat of the finished game; ``points`` as they are written, ``tint`` the number of its colour."""

    name: str
    initials: str
    tint: int
    points: str
    won: bool


@dataclass(frozen=True)
class FinalTable:
    """What the picture tells: the game, where it was played, who has won, and the seats, the best first."""

    game: str
    occasion: str
    headline: str
    seats: tuple[Placed, ...]


@dataclass
class Canvas:
    """A picture in which positions are those of the finished one; ``said`` are the texts on it."""

    image: Image.Image
    draw: ImageDraw.ImageDraw
    said: list[str] = field(default_factory=list)

    def box(self, left: float, top: float, width: float, height: float, radius: float, fill: str) -> None:
        """Draw a box with round corners; a circle where the radius is half its width."""
        at = [_FINE * each for each in (left, top, left + width, top + height)]
        self.draw.rounded_rectangle(at, radius * _FINE, fill=fill)

    def text(
        self, text: str, left: float, middle: float, width: float, size: float, fill: str, align: float = 0
    ) -> None:
        """Write a text in one line: smaller where it must be, and shortened where that isn't enough.

        ``align`` is 0 at the left, 0.5 in the middle and 1 at the right of the width.
        """
        room, shown = width * _FINE, [*runs(text)]
        pixels = size * _FINE
        while _width(shown, pixels) > room and pixels > size * _FINE * 0.6:
            pixels *= 0.95
        told = text
        while _width(shown, pixels) > room and told:
            told = told[:-1].rstrip()
            shown = [*runs(f"{told}…")]
        at = left * _FINE + (room - _width(shown, pixels)) * align
        for run in shown:
            font = _font(run.font, round(pixels))
            self.draw.text((at, middle * _FINE), run.text, fill, font, "lm", direction=_direction(run))
            at += _width([run], pixels)
        self.said.append(text if told == text else f"{told}…")


def drawn(shown: FinalTable) -> bytes:
    """Return the picture as PNG."""
    from PIL import Image

    written = BytesIO()
    picture = painted(shown).image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    picture.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(written, "PNG", optimize=True)
    return written.getvalue()


def painted(shown: FinalTable) -> Canvas:
    """Return the canvas with the whole table, as big as it is drawn."""
    canvas = _cloth()
    _fan(canvas)
    canvas.text(shown.game, _LEFT, 88, 760, 64, _INK)
    canvas.text(shown.occasion, _LEFT, 152, 760, 28, _SOFT)
    canvas.text(shown.headline, _LEFT, 214, 760, 44, _GOLD)
    for seat, at in zip(shown.seats, _places(len(shown.seats)), strict=True):
        _seat(canvas, seat, *at)
    return canvas


# ---- Parts ---------------------------------------------------------------------------------------


def _cloth() -> Canvas:
    from PIL import Image, ImageDraw

    size = (WIDTH * _FINE, HEIGHT * _FINE)
    shade = Image.radial_gradient("L").resize(size)
    image = Image.composite(Image.new("RGB", size, _DEEP), Image.new("RGB", size, _FELT), shade)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0] - 1, size[1] - 1), outline=_RIM, width=16 * _FINE)
    return Canvas(image, draw)


def _fan(canvas: Canvas) -> None:
    """Lay four cards at the right of the headings; they tell nothing."""
    from PIL import Image, ImageDraw

    width, height = 104 * _FINE, 150 * _FINE
    for at, (rank, suit, ink) in enumerate(_CARDS):
        card = Image.new("RGBA", (width * 3, height * 3))
        draw = ImageDraw.Draw(card)
        left, top = width, height // 2
        draw.rounded_rectangle(
            (left, top, left + width, top + height), 10 * _FINE, "#fffdf6", "#c9c1ae", _FINE
        )
        bold = f"{MAIN}-Bold"
        draw.text((left + 20 * _FINE, top + 26 * _FINE), rank, ink, _font(bold, 30 * _FINE), "mm")
        draw.text((left + 20 * _FINE, top + 58 * _FINE), suit, ink, _font(MAIN, 30 * _FINE), "mm")
        draw.text((left + 62 * _FINE, top + 96 * _FINE), suit, ink, _font(MAIN, 72 * _FINE), "mm")
        turned = card.rotate(24 - 16 * at, Image.Resampling.BICUBIC)
        middle = ((886 + 62 * at) * _FINE, 150 * _FINE)
        canvas.image.paste(turned, (middle[0] - width * 3 // 2, middle[1] - height), turned)


def _places(number: int) -> Iterator[tuple[float, float, float, float]]:
    """Yield the box of each seat, the best first: of more than three down one column and then the other."""
    columns = 1 if number <= 3 else 2
    rows = -(-number // columns)
    height = min(_ROW, (_BOTTOM - _TOP - _GAP * (rows - 1)) / rows)
    width = (_RIGHT - _LEFT - _GAP * (columns - 1)) / columns
    for at in range(number):
        column, row = divmod(at, rows)
        yield _LEFT + column * (width + _GAP), _TOP + row * (height + _GAP), width, height


def _seat(canvas: Canvas, seat: Placed, left: float, top: float, width: float, height: float) -> None:
    middle, size = top + height / 2, min(44.0, height * 0.5)
    if seat.won:
        canvas.box(left - 3, top - 3, width + 6, height + 6, height / 2 + 3, _GOLD)
    canvas.box(left, top, width, height, height / 2, "#0f4636")
    canvas.box(left + 5, top + 5, height - 10, height - 10, height / 2 - 5, _TINTS[seat.tint % len(_TINTS)])
    canvas.text(seat.initials, left + 9, middle, height - 18, size * 0.85, _INK, 0.5)
    canvas.text(seat.name, left + height + 8, middle, width - height - 140, size, _INK)
    canvas.text(seat.points, left + width - 124, middle, 100, size * 1.15, _GOLD if seat.won else _INK, 1)


# ---- Letters -------------------------------------------------------------------------------------


@lru_cache(64)
def _font(name: str, pixels: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(path_of(name), pixels)


def _direction(run: Run) -> str | None:
    """Return the direction of a run, None where this machine can't join letters."""
    from PIL import features

    return ("rtl" if run.leftwards else "ltr") if features.check("raqm") else None


def _width(shown: list[Run], pixels: float) -> float:
    fonts = [(_font(run.font, round(pixels)), run) for run in shown]
    return sum(font.getlength(run.text, direction=_direction(run)) for font, run in fonts)
