"""The standings of a stage, and its charts as SVG geometry for templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, repeat
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from league.core.formats import Bracket, Match, Slot
from league.core.standings.plain import Plain
from league.core.standings.tie_breaks import BY_KEY
from league.core.standings.tie_breaks.scores import GameScore
from league.queries.competitions import Entrants, state_of
from league.queries.pictures import Stop, Ways
from league.queries.readers import nameless
from league.queries.standings import Standing, public_seq, separating, standings_as_of, tie_break_order
from league.templatetags.trefoil import ordinal
from league.words.messages import translated
from league.words.plain import (
    PlainColumn,
    decided_in_words,
    legend,
    plain_columns,
    points_of,
    signs_of,
    title_of,
)
from league.words.values import (
    against_average,
    column,
    marked,
)

if TYPE_CHECKING:
    from league.models import Competition, Stage

Cell: TypeAlias = tuple[str, str, str, str]
"The title of a tie-break, the classes of its cell, what the column shows, and in words."
Decided: TypeAlias = tuple[Sequence[tuple[str, str]], Sequence[str]]
"The signs beside a rank, each with what it says, and what organisers decided, in sentences."
Line: TypeAlias = tuple[Standing, str, str | None, str, str, Decided, Sequence[Cell]]
"""A row with its entry's id and player, none of a team, its points, its possible ranks, what was decided, and
its cells."""


COLUMNS: Final = 5
"""Those of all standings: rank, entry, arrow, points, rounds played."""


def ranked(
    competition: Competition,
    stage: Stage | None,
    entrants: Entrants,
    rows: Sequence[Standing],
    plain: Plain | None,
) -> dict[str, Any]:
    """Return what the template of standings shows of rows of a stage.

    Tie-breaks that say no more than the plain counts of places have no column of their own.
    """
    counts = plain_columns(plain, points_of(rows)) if plain and rows else []
    said = plain.told_plainly if plain else ()
    compared = bool(plain and plain.compared)
    found = _tie_breaks(stage, plain)
    near = next(iter(separating(rows, [key for key, _title, _about in found])), "")
    tie_breaks = [each for each in found if each[0] not in said]
    undecided = any(row.best_rank != row.worst_rank for row in rows)
    as_of = standings_as_of(competition, rows)
    # The row of somebody for whom another one plays on has the name of who entered.
    stood_in = [each for each in state_of(competition).entries if len(each.lineups) > 1]
    named = {each.id: each.eponyms[0] for each in stood_in if each.id in entrants.players}
    entrants = replace(entrants, players={**entrants.players, **named}) if named else entrants
    if closed := nameless(competition.club_id):
        opens = {entry: player for entry, player in entrants.players.items() if str(player) not in closed}
        entrants = replace(entrants, players=opens)
    return {
        "groups": _lines(rows, entrants, tie_breaks, counts, plain, near=near, compared=compared),
        "counts": [(count.title, count.about, near in count.decides) for count in counts],
        "width": COLUMNS + undecided + len(counts) + len(tie_breaks),
        "undecided": undecided,
        "tie_breaks": tie_breaks,
        "near": near,
        "legend": legend(rows, plain),
        "as_of": as_of,
        "behind": as_of < public_seq(competition, competition.seq),
    }


def _lines(
    rows: Sequence[Standing],
    entrants: Entrants,
    tie_breaks: Sequence[tuple[str, str, str]],
    counts: Sequence[PlainColumn],
    plain: Plain | None,
    *,
    near: str,
    compared: bool,
) -> list[tuple[int, list[Line]]]:
    """Return the number of each group with its rows.

    The column of the tie-break ``near`` is shown on a phone, too; ``compared``: wins are set against what
    equal players have on average.
    """
    columns = [column([_value(row, key) for row in rows]) for key, _title, _about in tie_breaks]
    texts = zip(*columns, strict=True) if columns else repeat(())
    totals = column([row.points for row in rows], signed=False)
    titles = [(key, title, "" if key == near else " roomy value") for key, title, _about in tie_breaks]

    def cell(row: Standing, key: str, title: str, kind: str, shown: str) -> Cell:
        decided = " decided" if key == row.decided_by else ""
        kinds = f"{'several' if ' ' in shown else 'nowrap'}{kind}{decided}"
        value = _value(row, key)
        if value is None:
            return title, kinds, shown, "–"
        told = against_average(shown) if key == "wins" and compared else shown
        return title, kinds, shown, told

    lines = [
        (
            row,
            str(row.entry_id),
            entrants.players.get(str(row.entry_id)),
            total,
            _possible(row),
            (signs_of(row, plain), decided_in_words(row, plain)),
            [_plain_cell(count, row, near) for count in counts]
            + [cell(row, *each, text) for each, text in zip(titles, shown, strict=True)],
        )
        for row, total, shown in zip(rows, totals, texts, strict=False)
    ]
    return [(group, list(inside)) for group, inside in groupby(lines, key=lambda each: each[0].group)]


def _plain_cell(count: PlainColumn, row: Standing, near: str) -> Cell:
    shown = count.of(row.entry_id)
    decided = " decided" if row.decided_by in count.decides else ""
    roomy = "" if near in count.decides else " roomy"
    return count.title, f"nowrap{roomy}{decided}", shown, shown


def _possible(row: Standing) -> str:
    best, worst = ordinal(row.best_rank or row.rank), ordinal(row.worst_rank or row.rank)
    return best if best == worst else f"{best}–{worst}"


def _value(row: Standing, key: str) -> str | None:
    """Return a row's value of a tie-break; None before a game for an average of games."""
    return None if key == GameScore.key and not row.played else row.tiebreaks.get(key)


def _tie_breaks(stage: Stage | None, plain: Plain | None) -> list[tuple[str, str, str]]:
    """Return the tie-breaks that the table shows, with title and what the value is; a lot means nothing."""
    shown = [name for name in tie_break_order(stage) if name != "lot"] if stage else []
    return [(name, title_of(name, plain), translated(BY_KEY[name].summary)) for name in shown]


# ---- Brackets ------------------------------------------------------------------------------------

SLOT_HEIGHT: Final = 24
BOX_WIDTH: Final = 210
_PADDING: Final = 8
_SCORE: Final = 42
_LETTER: Final = 5.6
"""How wide a letter of the small type is at most on average."""
_APART: Final = 34
_HEAD: Final = 26


@dataclass(frozen=True)
class BoxRow:
    """A slot in its box, with the top edge, and in the reader's words what decided in place of play."""

    slot: Slot
    top: float
    why: str

    @property
    def right(self) -> float:
        """Return where the words end: before the score, where there is one."""
        return BOX_WIDTH - (_PADDING if self.slot.score is None else _SCORE)

    @property
    def room(self) -> float:
        """Return until where the name may go."""
        return self.right - (_PADDING + _LETTER * len(self.why) if self.why else 0)


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
    """The boxes of a bracket by column, and the lines between them as SVG paths."""

    bracket: Bracket
    width: float
    height: float
    columns: tuple[tuple[float, str, tuple[Box, ...]], ...]
    lines: tuple[str, ...]
    box: int = BOX_WIDTH


def bracket_chart(bracket: Bracket) -> BracketChart:
    """Return the picture of a bracket; each column has its left edge, its title and its boxes."""
    columns = tuple(
        (at * (BOX_WIDTH + _APART), column.title, tuple(_box(match, at) for match in column.matches))
        for at, column in enumerate(bracket.columns)
    )
    width = max(1, len(columns)) * (BOX_WIDTH + _APART) - _APART + 2
    height = _HEAD + bracket.height * SLOT_HEIGHT + 2
    return BracketChart(bracket, width, height, columns, tuple(_ways_between(bracket)))


def _box(match: Match, column: int) -> Box:
    top = _HEAD + (match.centre - len(match.slots) / 2) * SLOT_HEIGHT
    rows = tuple(
        BoxRow(slot, top + at * SLOT_HEIGHT, translated(slot.why)) for at, slot in enumerate(match.slots)
    )
    return Box(match, column * (BOX_WIDTH + _APART), top, len(rows) * SLOT_HEIGHT, rows)


def _ways_between(bracket: Bracket) -> Iterator[str]:
    """Yield the way from each match to the one that it leads to."""
    for at, (before, after) in enumerate(pairwise(bracket.columns)):
        right = at * (BOX_WIDTH + _APART) + BOX_WIDTH
        for match in after.matches:
            for feeder in match.feeders:
                start, end = (_HEAD + each.centre * SLOT_HEIGHT for each in (before.matches[feeder], match))
                yield f"M{right} {start:.1f}h{_APART / 2}V{end:.1f}h{_APART / 2}"


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
            marked(way.name, bot=way.bot),
            tuple(
                (_direction(one, other), "{:.0f},{:.0f} {:.0f},{:.0f}".format(*place(one), *place(other)))
                for one, other in pairwise(way.stops)
            ),
            tuple(map(place, way.stops)),
        )
        for way in ways.ways
    ]
    labels = [
        WayLabel(marked(way.name, bot=way.bot), stop.rank, *place(stop), before)
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
    for at, stage in enumerate(ways.columns):
        for group, row in enumerate(stage.begins[1:], 1):
            yield _NAME_WIDTH + at * _WAY_APART, _WAY_HEAD + (row + group) * WAY_ROW


def _direction(one: Stop, other: Stop) -> str:
    if one.group == other.group:
        return "level"
    return "up" if other.group < one.group else "down"
