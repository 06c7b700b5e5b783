"""A draw: who meets at which table in a round, who does not play, and which sizes the tables have."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from games.engine.jsontypes import JsonObject
from league.core.state.plan import Opening, StagePlan


@dataclass(frozen=True)
class DrawnTable:
    """Entries that meet, in seat order."""

    entries: tuple[str, ...]
    group: int = 1
    label: str = ""


@dataclass(frozen=True)
class GroupDraw:
    """The tables of one group, its byes, and its idle entries: those who are out or have no more rounds."""

    tables: tuple[DrawnTable, ...] = ()
    byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Draw(GroupDraw):
    """A proposed round, all groups together, with the report on its quality (see `cost.report`)."""

    report: JsonObject = field(default_factory=dict)


# ---- Sizes of tables -----------------------------------------------------------------------------

Candidate: TypeAlias = tuple[int, int, int, tuple[int, ...]]
"""Byes, squared distance from the preferred size, tables counted down, and the sizes: the least is best."""


def entry_sizes(opening: Opening) -> tuple[int, ...]:
    """Return how many entries a table may have: one a seat, or one for each pair, three, … of partners."""
    each = opening.team_size if opening.lineup == "partners" else 1
    sizes = {seats // each for seats in opening.seats if seats % each == 0 and seats // each >= 2}
    return tuple(sorted(sizes))


def boards_of(opening: Opening) -> int:
    """Return how many tables a match has."""
    return opening.team_size if opening.lineup == "boards" else 1


def stage_sizes(opening: Opening, plan: StagePlan) -> tuple[int, ...]:
    """Return how many entries a table of a stage may have: 2 only, where the plan says tables of two."""
    sizes = entry_sizes(opening)
    return (2,) if plan.table_size == 2 and 2 in sizes else sizes


def table_sizes(count: int, allowed: Sequence[int], preferred: int) -> tuple[int, ...]:
    """Return the sizes of the tables for ``count`` entries, biggest first; entries beyond them have byes.

    The fewest byes come first, then sizes nearest the preferred one (sum of squares), then most tables.
    Empty where no table can be made.
    """
    best: list[Candidate] = [(0, 0, 0, ())]
    for seated in range(1, count + 1):
        byes, distance, tables, sizes = best[seated - 1]
        one_more_bye = (byes + 1, distance, tables, sizes)
        with_table = [_with_table(best[seated - size], size, preferred) for size in allowed if size <= seated]
        best.append(min([one_more_bye, *with_table]))
    return tuple(sorted(best[count][3], reverse=True))


def even_sizes(count: int, allowed: Sequence[int], tables: int) -> tuple[int, ...]:
    """Return the sizes of so many tables, biggest first, as even as the allowed ones make them.

    They leave as few of ``count`` entries without a seat as possible. Empty where there are no such tables.
    """
    low = max((size for size in allowed if size * tables <= count), default=0)
    high = min((size for size in allowed if size > low), default=low)
    if not (low and tables):
        return ()
    bigger = min((count - low * tables) // (high - low), tables) if high > low else 0
    return (high,) * bigger + (low,) * (tables - bigger)


def _with_table(before: Candidate, size: int, preferred: int) -> Candidate:
    byes, distance, tables, sizes = before
    return byes, distance + (size - preferred) ** 2, tables - 1, (*sizes, size)
