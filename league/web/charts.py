"""Line charts as SVG points for templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 320
HEIGHT: Final = 96


@dataclass(frozen=True)
class Chart:
    """A line and the band around it, as SVG points in a view box of `WIDTH` by `HEIGHT`.

    ``low`` and ``high`` are the values at the bottom and at the top.
    """

    line: str
    band: str
    low: int
    high: int


def line_chart(values: Sequence[int], spreads: Sequence[int]) -> Chart:
    """Return the chart of at least two values; ``spreads`` are the half widths of the band."""
    below = [value - spread for value, spread in zip(values, spreads, strict=True)]
    above = [value + spread for value, spread in zip(values, spreads, strict=True)]
    low, high = min(below), max(above)

    def points(heights: Sequence[int]) -> list[str]:
        step = WIDTH / (len(heights) - 1)
        scale = HEIGHT / max(1, high - low)
        return [f"{index * step:.1f},{(high - height) * scale:.1f}" for index, height in enumerate(heights)]

    band = [*points(above), *reversed(points(below))]
    return Chart(" ".join(points(values)), " ".join(band), low, high)
