"""Lines as SVG: what a template draws a course of figures from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 320
HEIGHT: Final = 96


@dataclass(frozen=True)
class Chart:
    """A line within its band, in a view box of `WIDTH` by `HEIGHT`: points as SVG writes them.

    ``low`` and ``high`` are the figures at the bottom and at the top.
    """

    line: str
    band: str
    low: int
    high: int


def course(values: Sequence[int], spreads: Sequence[int]) -> Chart:
    """Return the chart of at least two values, each with how far the band reaches to either side."""
    below = [value - spread for value, spread in zip(values, spreads, strict=True)]
    above = [value + spread for value, spread in zip(values, spreads, strict=True)]
    low, high = min(below), max(above)

    def drawn(figures: Sequence[int]) -> list[str]:
        step = WIDTH / (len(figures) - 1)
        scale = HEIGHT / max(1, high - low)
        return [f"{at * step:.1f},{(high - figure) * scale:.1f}" for at, figure in enumerate(figures)]

    edge = [*drawn(above), *reversed(drawn(below))]
    return Chart(" ".join(drawn(values)), " ".join(edge), low, high)
