"""The search for the tables of least cost: seeded starts, each improved by exchanges until none helps.

The cost of a seating is the sum, over every two at one table, of what their meeting costs, and over
everybody at a table shorter than the longest, of what that costs them. `league.formats.cost` states both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.engine.chance import Chance

Tables: TypeAlias = list[list[int]]
Weights: TypeAlias = Sequence[Sequence[int]]

STARTS = 24
EFFORT = 3000
"""Entries that are seated over all starts: big fields have fewer."""


@dataclass(frozen=True)
class Costs:
    """What meeting costs two entries (symmetric, 0 on the diagonal), and a short table each; all from 0."""

    meeting: Weights
    short: Sequence[int]


def best_seating(
    costs: Costs, sizes: Sequence[int], chance: Chance, purpose: str, first: Sequence[int] | None = None
) -> Tables:
    """Return tables of the sizes with the least cost that the search found, the same for the same seed.

    ``first`` is an order to begin with instead of a shuffled one: entries in it fill the tables in turn.
    """
    count = len(costs.meeting)
    best: tuple[int, Tables] | None = None
    for start in range(max(1, min(STARTS, EFFORT // max(count, 1)))):
        given = first if start == 0 else None
        order = chance.shuffled(f"{purpose} {start}", range(count)) if given is None else given
        tables = improved(costs, dealt(order, sizes))
        cost = total(costs, tables)
        if best is None or cost < best[0]:
            best = (cost, tables)
        if best[0] == 0:
            break
    assert best is not None
    return best[1]


def dealt(order: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Return the order cut into tables of the sizes."""
    left = iter(order)
    return [[next(left) for _ in range(size)] for size in sizes]


def total(costs: Costs, tables: Tables) -> int:
    """Return the cost of a seating."""
    longest = max(map(len, tables), default=0)
    meetings = sum(costs.meeting[one][other] for table in tables for one in table for other in table)
    return meetings // 2 + sum(costs.short[one] for table in tables if len(table) < longest for one in table)


def improved(costs: Costs, tables: Tables) -> Tables:
    """Return the seating after every exchange of two entries that lowers the cost, best first for each."""
    search = _Search(costs, tables)
    moved = True
    while moved:
        moved = False
        for one in range(len(costs.meeting)):
            if search.cost_of(one) > 0 and search.exchange(one):
                moved = True
    return search.tables


class _Search:
    """A seating with, for each entry and table, what sitting there costs: kept up to date by exchanges."""

    def __init__(self, costs: Costs, tables: Tables) -> None:
        self.meeting = costs.meeting
        self.tables = [list(table) for table in tables]
        self.at = {one: number for number, table in enumerate(tables) for one in table}
        self.sums = [[sum(row[other] for other in table) for table in tables] for row in costs.meeting]
        longest = max(map(len, tables), default=0)
        self.is_short = [len(table) < longest for table in tables]
        self.short = costs.short

    def cost_of(self, one: int) -> int:
        """Return what the entry's place costs it."""
        here = self.at[one]
        return self.sums[one][here] + self.short[one] * self.is_short[here]

    def exchange(self, one: int) -> bool:
        """Exchange the entry with the one that lowers the cost most; return whether there was any."""
        gain, other = max(((self._gain(one, other), -other) for other in self.at), default=(0, 0))
        if gain <= 0:
            return False
        self._swap(one, -other)
        return True

    def _gain(self, one: int, other: int) -> int:
        here, there = self.at[one], self.at[other]
        if here == there:
            return 0
        sums = self.sums
        before = sums[one][here] + sums[other][there]
        after = sums[one][there] + sums[other][here] - 2 * self.meeting[one][other]
        shorter = (self.is_short[there] - self.is_short[here]) * (self.short[one] - self.short[other])
        return before - after - shorter

    def _swap(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.at[one], self.at[other] = there, here
        for sums, row in zip(self.sums, self.meeting, strict=True):
            change = row[other] - row[one]
            sums[here] += change
            sums[there] -= change
