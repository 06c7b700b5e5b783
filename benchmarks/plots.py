"""A plot as the text of an SVG: panels side by side, each with lines over a logarithmic axis."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]
WIDTH, HEIGHT = 430, 260
LEFT, RIGHT, TOP, BOTTOM = 62, 30, 46, 40
ROOM: Final = 1.1
"""The height of the axis, where the highest point is 1."""
STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-weight: 600; font-size: 14px }
.grid { stroke: #ddd } .line { fill: none; stroke-width: 2 }
.first { stroke: #0b62a8 } .second { stroke: #b4540a; stroke-dasharray: 5 4 }
circle.first { fill: #0b62a8 } circle.second { fill: #fff; stroke-dasharray: none; stroke-width: 1.5 }
.sheet { fill: #fff }
"""
CLASSES: Final = ("first", "second")


@dataclass(frozen=True)
class Panel:
    """A title, the lines by what they show, at most two, and the words under the horizontal axis."""

    title: str
    lines: Mapping[str, Points]
    across: str


def svg(panels: Sequence[Panel]) -> str:
    """Return the panels as the text of an SVG file."""
    width, titles = WIDTH * len(panels), "; ".join(panel.title for panel in panels)
    size = f'viewBox="0 0 {width} {HEIGHT}" width="{width}"'
    parts = [part for number, panel in enumerate(panels) for part in _panel(panel, number * WIDTH)]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n'
        f"<title>{titles}</title>\n<style>{STYLE}</style>\n"
        f'<rect class="sheet" width="{width}" height="{HEIGHT}"/>\n{body}\n</svg>\n'
    )


def _panel(panel: Panel, left: int) -> Iterator[str]:
    points = [point for line in panel.lines.values() for point in line]
    first, last = (math.floor(math.log10(min(x for x, _ in points))), math.log10(max(x for x, _ in points)))
    step = _round_step(ROOM * max(y for _, y in points))
    top = step * math.ceil(ROOM * max(y for _, y in points) / step)

    def across(x: float) -> float:
        return LEFT + (math.log10(x) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def down(y: float) -> float:
        return HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM)

    yield f'<g transform="translate({left} 0)"><text class="title" x="{LEFT}" y="18">{panel.title}</text>'
    for tick in range(0, top + 1, step):
        yield f'<path class="grid" d="M{LEFT} {down(tick):.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{down(tick) + 4:.1f}" text-anchor="end">{tick:,}</text>'
    for power in range(first, math.floor(last) + 1):
        at = f'x="{across(10**power):.1f}" y="{HEIGHT - BOTTOM + 17}"'
        yield f'<text {at} text-anchor="middle">{_short(10**power)}</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{panel.across}</text>'
    for number, ((name, line), style) in enumerate(zip(panel.lines.items(), CLASSES, strict=False)):
        drawn = [(round(across(x), 1), round(down(y), 1)) for x, y in line]
        yield f'<path class="line {style}" d="M{"L".join(f"{x} {y}" for x, y in drawn)}"/>'
        yield from (f'<circle class="{style}" cx="{x}" cy="{y}" r="3"/>' for x, y in drawn)
        begin = LEFT + 150 * number
        yield f'<path class="line {style}" d="M{begin} 32h24"/><text x="{begin + 30}" y="36">{name}</text>'
    yield "</g>"


def _round_step(height: float) -> int:
    """Return the distance of four or more lines below a height: 1, 2 or 5 times a power of ten."""
    power = int(10 ** math.floor(math.log10(max(height / 4, 1))))
    return max(power * factor for factor in (1, 2, 5) if power * factor <= max(height / 4, 1))


def _short(number: int) -> str:
    for size, sign in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{sign}"
    return str(number)
