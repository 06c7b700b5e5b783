"""Charts as SVG geometry for templates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from league.queries.pictures import Bracket, Match, Race, Runner, Slot, Stop, Ways

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


# ---- Brackets ------------------------------------------------------------------------------------

SLOT_HEIGHT: Final = 24
BOX_WIDTH: Final = 190
_APART: Final = 34
_HEAD: Final = 26


@dataclass(frozen=True)
class BoxRow:
    """A slot in its box, with the top edge."""

    slot: Slot
    top: float


@dataclass(frozen=True)
class Box:
    """A match as a box with its rows."""

    match: Match
    left: float
    top: float
    height: float
    rows: tuple[BoxRow, ...]


@dataclass(frozen=True)
class BracketChart:
    """The boxes of a bracket by round, and the lines between them as SVG paths."""

    bracket: Bracket
    width: float
    height: float
    rounds: tuple[tuple[float, tuple[Box, ...]], ...]
    lines: tuple[str, ...]


def bracket_chart(bracket: Bracket) -> BracketChart:
    """Return the picture of a bracket; each round has its left edge and its boxes."""
    rounds = tuple(
        (at * (BOX_WIDTH + _APART), tuple(_box(match, at) for match in matches))
        for at, matches in enumerate(bracket.rounds)
    )
    lines = tuple(_lines(bracket)) if bracket.paired else ()
    width = len(rounds) * (BOX_WIDTH + _APART) - _APART
    return BracketChart(bracket, width, _HEAD + bracket.height * SLOT_HEIGHT + 2, rounds, lines)


def _box(match: Match, column: int) -> Box:
    top = _HEAD + (match.centre - len(match.slots) / 2) * SLOT_HEIGHT
    rows = tuple(BoxRow(slot, top + at * SLOT_HEIGHT) for at, slot in enumerate(match.slots))
    return Box(match, column * (BOX_WIDTH + _APART), top, len(rows) * SLOT_HEIGHT, rows)


def _lines(bracket: Bracket) -> Iterator[str]:
    """Yield the way from each two neighbours to the match between them."""
    for column, (before, matches) in enumerate(pairwise(bracket.rounds)):
        right = column * (BOX_WIDTH + _APART) + BOX_WIDTH
        for at, match in enumerate([each for each in matches if not each.label]):
            for feeder in before[2 * at : 2 * at + 2]:
                start, end = (_HEAD + each.centre * SLOT_HEIGHT for each in (feeder, match))
                yield f"M{right} {start:.1f}h{_APART / 2}V{end:.1f}h{_APART / 2}"


# ---- The race of points --------------------------------------------------------------------------

RACE_WIDTH: Final = 460
RACE_HEIGHT: Final = 300
LEADERS: Final = 10
"""How many entries have a line with a name; the others' are in the background."""
_LABEL: Final = 20


@dataclass(frozen=True)
class RunnerLine:
    """An entry's line; ``label`` is the height of its name, and ``end`` that of its last point."""

    runner: Runner
    points: str
    end: float
    label: float


@dataclass(frozen=True)
class RaceChart:
    """The lines of a race in a field of `RACE_WIDTH` by ``height``; ``ticks`` are (place, number) pairs."""

    race: Race
    height: float
    leaders: tuple[RunnerLine, ...]
    others: tuple[str, ...]
    rounds: tuple[tuple[float, int], ...]
    ticks: tuple[tuple[float, int], ...]


def race_chart(race: Race) -> RaceChart:
    """Return the picture of a race; the lead is on top."""
    values = [points for runner in race.runners for points in runner.points if points is not None]
    low, high = float(min(values)), float(max(values))
    height = max(RACE_HEIGHT, _LABEL * min(LEADERS, len(race.runners)))
    scale = height / ((high - low) or 1)
    step = RACE_WIDTH / (len(race.rounds) - 1)

    def y(value: float) -> float:
        return (value - low) * scale if race.fewest_lead else (high - value) * scale

    def line(runner: Runner) -> str:
        known = [(at, points) for at, points in enumerate(runner.points) if points is not None]
        return " ".join(f"{at * step:.1f},{y(float(points)):.1f}" for at, points in known)

    leaders = race.runners[:LEADERS]
    ends = [y(float(runner.points[-1] or 0)) for runner in leaders]
    lines = zip(leaders, map(line, leaders), ends, _spread(ends, height), strict=True)
    return RaceChart(
        race,
        height,
        tuple(RunnerLine(*each) for each in lines),
        tuple(map(line, race.runners[LEADERS:])),
        tuple((at * step, number) for at, number in enumerate(race.rounds)),
        tuple((y(value), value) for value in _ticks(low, high)),
    )


def _spread(heights: Sequence[float], bottom: float) -> list[float]:
    """Return the heights, which rise, moved so that no two labels overlap and the last is not below."""
    spread: list[float] = []
    for height in heights:
        spread.append(max(height, spread[-1] + _LABEL) if spread else height)
    limit = bottom
    for at in range(len(spread) - 1, -1, -1):
        spread[at] = min(spread[at], limit)
        limit = spread[at] - _LABEL
    return spread


def _ticks(low: float, high: float) -> list[int]:
    """Return some whole numbers between two values: at most six, evenly apart."""
    span = max(1, round(high - low))
    each = next(
        size * 10**power for power in range(10) for size in (1, 2, 5) if span / (size * 10**power) <= 5
    )
    first = -(-round(low) // each) * each
    return [value for value in range(first, round(high) + 1, each) if low <= value <= high]


# ---- Ways through the stages ---------------------------------------------------------------------

WAY_ROW: Final = 22
_WAY_APART: Final = 190
_NAME_WIDTH: Final = 190
_WAY_HEAD: Final = 44


@dataclass(frozen=True)
class WayLine:
    """An entry's line from stage to stage, in parts that lead up, down or level, with the points of each."""

    name: str
    parts: tuple[tuple[str, str], ...]
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class WayLabel:
    """A name beside a column, on its left or right."""

    name: str
    rank: int
    left: float
    top: float
    before: bool


@dataclass(frozen=True)
class WaysChart:
    """The lines between the stages, the names at both sides, and the titles of stages and groups."""

    ways: Ways
    width: float
    height: float
    lines: tuple[WayLine, ...]
    labels: tuple[WayLabel, ...]
    stages: tuple[tuple[float, str], ...]
    borders: tuple[tuple[float, float], ...]


def ways_chart(ways: Ways) -> WaysChart:
    """Return the picture of promotion and relegation, or of who went on to which stage."""
    last = len(ways.columns)

    def place(stop: Stop) -> tuple[float, float]:
        top = _WAY_HEAD + (stop.row + stop.group - 0.5) * WAY_ROW
        return _NAME_WIDTH + (stop.stage - 1) * _WAY_APART, top

    lines = [
        WayLine(
            way.name,
            tuple(
                (_direction(one, other), "{:.0f},{:.0f} {:.0f},{:.0f}".format(*place(one), *place(other)))
                for one, other in pairwise(way.stops)
            ),
            tuple(map(place, way.stops)),
        )
        for way in ways.ways
    ]
    labels = [
        WayLabel(way.name, stop.rank, *place(stop), before)
        for way in ways.ways
        for stop, before in ((way.stops[0], True), (way.stops[-1], False))
        if stop.stage == (1 if before else last)
    ]
    stages = tuple((_NAME_WIDTH + at * _WAY_APART, column.name) for at, column in enumerate(ways.columns))
    groups = max(len(column.begins) for column in ways.columns)
    height = _WAY_HEAD + (ways.rows + groups) * WAY_ROW
    width = 2 * _NAME_WIDTH + (last - 1) * _WAY_APART
    return WaysChart(ways, width, height, tuple(lines), tuple(labels), stages, tuple(_borders(ways)))


def _borders(ways: Ways) -> Iterator[tuple[float, float]]:
    """Yield where a line parts two groups of a stage."""
    for at, column in enumerate(ways.columns):
        for group, row in enumerate(column.begins[1:], 1):
            yield _NAME_WIDTH + at * _WAY_APART, _WAY_HEAD + (row + group) * WAY_ROW


def _direction(one: Stop, other: Stop) -> str:
    if one.group == other.group:
        return "level"
    return "up" if other.group < one.group else "down"
