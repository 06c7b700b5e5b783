"""Base rounds of exact round robins, found by search: data for `league.core.drawing.designs`.

A line is the number of entries, the table size and the cycle, then the tables of one or two base rounds.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

DesignRound: TypeAlias = tuple[tuple[int, ...], ...]
"""A round as tables of entries 0, 1, …; an entry in none of them rests."""

_LINES: Final = """
6 3 5: 0 1 5, 2 3 4; 0 2 5, 1 3 4
7 3 7: 0 4 5, 1 2 6
12 3 11: 0 3 5, 1 7 8, 2 4 11, 6 9 10
13 3 13: 0 2 9, 3 5 8, 4 11 12, 6 7 10
15 3 7: 0 1 12, 2 6 9, 3 5 11, 4 13 14, 7 8 10
16 3 16: 0 7 12, 1 9 11, 2 3 5, 4 14 15, 6 10 13
18 3 17: 0 2 9, 1 5 12, 3 4 17, 6 8 11, 7 13 16, 10 14 15
21 3 20: 0 3 11, 1 2 8, 4 12 19, 5 10 14, 6 16 20, 7 9 13, 15 17 18
24 3 23: 0 2 10, 1 14 15, 3 8 20, 4 6 22, 5 11 12, 7 16 19, 9 13 17, 18 21 23
30 3 29: 0 13 25, 1 2 12, 3 5 10, 4 18 26, 6 8 14, 7 17 29, 9 24 27, 11 20 23, 15 19 28, 16 21 22
8 4 7: 0 1 2 5, 3 4 6 7
12 4 11: 0 1 3 8, 2 4 6 7, 5 9 10 11
13 4 13: 0 3 7 11, 1 8 9 10, 2 4 5 12
17 4 17: 0 2 4 11, 1 5 12 13, 3 6 8 9, 7 10 14 15
20 4 19: 0 5 10 19, 1 4 14 16, 2 6 17 18, 3 9 11 12, 7 8 13 15
21 4 21: 0 9 16 20, 1 2 4 14, 3 8 11 18, 5 13 17 19, 6 7 10 12
24 4 23: 0 9 18 23, 1 8 12 14, 2 3 6 10, 4 5 11 16, 7 15 17 20, 13 19 21 22
28 4 27: 0 2 25 26, 1 8 20 27, 3 9 12 22, 4 14 18 19, 5 11 16 23, 6 10 15 17, 7 13 21 24
32 4 31: 0 17 30 31, 1 12 23 24, 2 19 22 27, 3 10 18 28, 4 6 8 11, 5 14 26 29, 7 16 20 21, 9 13 15 25
11 5 11: 0 4 7 9 10, 1 2 3 5 8
16 5 16: 1 3 9 14 15, 2 4 7 8 11, 5 6 10 12 13
20 5 19: 0 3 5 14 18, 1 7 10 12 13, 2 6 9 11 19, 4 8 15 16 17
21 5 21: 0 1 4 6 18, 3 11 12 14 19, 5 9 13 15 20, 7 8 10 16 17
12 6 11: 0 1 3 4 5 9, 2 6 7 8 10 11
13 6 13: 0 1 6 7 9 11, 2 3 4 5 8 12
19 6 19: 0 2 4 5 7 13, 1 10 11 12 16 17, 3 6 8 14 15 18
24 6 23: 0 1 3 7 12 17, 2 4 6 13 14 21, 5 8 9 10 15 18, 11 16 19 20 22 23
"""


def rotated(entries: int, cycle: int, bases: Sequence[DesignRound]) -> Iterator[DesignRound]:
    """Yield the base rounds with 0, 1, 2, … added modulo ``cycle`` within each layer of so many entries.

    Last entries beyond the layers stay where they are.
    """
    moving = entries - entries % cycle
    for base in bases:
        for step in range(cycle):
            yield tuple(tuple(_shifted(entry, step, cycle, moving) for entry in table) for table in base)


def _shifted(entry: int, step: int, cycle: int, moving: int) -> int:
    if entry >= moving:
        return entry
    layer, position = divmod(entry, cycle)
    return layer * cycle + (position + step) % cycle


def _read(lines: str) -> Iterator[tuple[tuple[int, int], tuple[int, tuple[DesignRound, ...]]]]:
    for line in lines.strip().splitlines():
        numbers, _, rounds = line.partition(": ")
        entries, size, cycle = map(int, numbers.split())
        yield (entries, size), (cycle, tuple(map(_round, rounds.split("; "))))


def _round(text: str) -> DesignRound:
    return tuple(tuple(map(int, table.split())) for table in text.split(", "))


BASE_ROUNDS: Final = dict(_read(_LINES))
"""By number of entries and table size: the cycle and the base rounds."""
