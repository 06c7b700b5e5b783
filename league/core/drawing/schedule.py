"""Schedules for numbers that no exact design fits, as even as a search finds.

The search lowers the sum of squared meetings over all rounds at once. It also spreads short tables and rests:
an entry at a short table meets a stand-in that weighs less than an entry, one that rests a stand-in that
weighs more.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from games.engine.chance import Chance
from league.core.drawing.base_rounds import DesignRound

MOST_ENTRIES: Final = 60
"""Bigger fields are drawn round by round."""
WORK: Final = 100_000
STARTS: Final = 200
ENTRY_WEIGHT: Final = 4
SHORT_WEIGHT: Final = 1
REST_WEIGHT: Final = 100

Table: TypeAlias = list[int]


@cache
def schedule(entries: int, sizes: tuple[int, ...], rounds: int) -> tuple[DesignRound, ...]:
    """Return rounds of tables of the sizes, the same in every run; entries at no table rest."""
    chance = Chance(f"schedule {entries} {sizes} {rounds}".encode())
    starts = max(2, min(STARTS, WORK // (entries * entries * rounds)))
    searches = [_Search(entries, sizes, rounds, chance, start) for start in range(starts)]
    return tuple(min(searches, key=lambda search: search.cost).schedule())


class _Search:
    """One start of the search, improved until no exchange of two entries in a round helps."""

    def __init__(self, entries: int, sizes: Sequence[int], rounds: int, chance: Chance, start: int) -> None:
        self.entries = entries
        self.weights = [ENTRY_WEIGHT] * entries + [SHORT_WEIGHT, REST_WEIGHT]
        self.met = [[0] * len(self.weights) for _ in self.weights]
        self.rounds = [
            _tables(chance.shuffled(f"{start} {number}", range(entries)), sizes) for number in range(rounds)
        ]
        for table in (table for tables in self.rounds for table in tables):
            for one, other in combinations(table, 2):
                self._meet(one, other, 1)
        moved = True
        while moved:
            moved = sum(map(self._improved, self.rounds)) > 0

    @property
    def cost(self) -> int:
        """Return the weighted sum of squared meetings, each counted from both sides."""
        return sum(
            weight * met * met for row in self.met for weight, met in zip(self.weights, row, strict=True)
        )

    def schedule(self) -> Iterator[DesignRound]:
        """Yield the rounds without stand-ins and rests."""
        for tables in self.rounds:
            seated = (tuple(one for one in table if one < self.entries) for table in tables)
            yield tuple(tuple(sorted(table)) for table in seated if len(table) > 1)

    def _meet(self, one: int, other: int, times: int) -> None:
        self.met[one][other] += times
        self.met[other][one] += times

    def _improved(self, tables: list[Table]) -> bool:
        """Make every exchange between two tables that helps; return whether there was any."""
        moved = False
        for one_table, other_table in combinations(tables, 2):
            for at in range(len(one_table)):
                for there in range(len(other_table)):
                    moved |= self._exchanged(one_table, at, other_table, there)
        return moved

    def _exchanged(self, one_table: Table, at: int, other_table: Table, there: int) -> bool:
        one, other = one_table[at], other_table[there]
        if max(one, other) >= self.entries:
            return False
        change = self._change(one, other, one_table) + self._change(other, one, other_table)
        if change >= 0:
            return False
        self._move(one, other, one_table)
        self._move(other, one, other_table)
        one_table[at], other_table[there] = other, one
        return True

    def _change(self, leaving: int, coming: int, table: Table) -> int:
        """Return half of the change in a table's cost when one entry replaces another."""
        gone, come, weights = self.met[leaving], self.met[coming], self.weights
        return sum(weights[one] * (come[one] - gone[one] + 1) for one in table if one != leaving)

    def _move(self, leaving: int, coming: int, table: Table) -> None:
        for one in table:
            if one != leaving:
                self._meet(leaving, one, -1)
                self._meet(coming, one, 1)


def _tables(order: Sequence[int], sizes: Sequence[int]) -> list[Table]:
    """Return a round: the tables, each short one with a stand-in, and each rest as a table with another."""
    left = iter(order)
    short, rest = len(order), len(order) + 1
    longest = max(sizes, default=0)
    seated = [[next(left) for _ in range(size)] + [short] * (size < longest) for size in sizes]
    return [*seated, *([one, rest] for one in left)]
