"""How many tables, and how big: the sizes that a game allows, nearest the one that was asked for."""

from collections.abc import Sequence
from typing import TypeAlias

from league.competition.events import Opened, StagePlan

Weighed: TypeAlias = tuple[int, int, int, tuple[int, ...]]
"""Entries without a table, squared distance from the preferred size, tables counted down, and the sizes."""


def entry_sizes(opening: Opened) -> tuple[int, ...]:
    """Return how many entries a table may have: seats, or teams where partners share a table."""
    each = opening.team_size if opening.lineup == "partners" else 1
    sizes = {seats // each for seats in opening.seats if seats % each == 0 and seats // each >= 2}
    return tuple(sorted(sizes))


def stage_sizes(opening: Opened, plan: StagePlan) -> tuple[int, ...]:
    """Return how many entries a table of a stage may have: in a stage of duels two and no other number."""
    sizes = entry_sizes(opening)
    return (2,) if plan.table_size == 2 and 2 in sizes else sizes


def table_sizes(count: int, allowed: Sequence[int], preferred: int) -> tuple[int, ...]:
    """Return the sizes of the tables for ``count`` entries, biggest first; what they don't seat has a bye.

    As few byes as can be, then sizes nearest the preferred one (squares added), then most tables.
    Empty where no table can be made.
    """
    best: list[Weighed] = [(0, 0, 0, ())]
    for seated in range(1, count + 1):
        byes, distance, tables, sizes = best[seated - 1]
        one_more_bye = (byes + 1, distance, tables, sizes)
        with_table = [_with_table(best[seated - size], size, preferred) for size in allowed if size <= seated]
        best.append(min([one_more_bye, *with_table]))
    return tuple(sorted(best[count][3], reverse=True))


def _with_table(before: Weighed, size: int, preferred: int) -> Weighed:
    byes, distance, tables, sizes = before
    return byes, distance + (size - preferred) ** 2, tables - 1, (*sizes, size)
