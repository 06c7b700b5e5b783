"""Schedules as even as a search finds, for numbers that no exact design fits.

The sum of squares of how often every two meet is lowered over all rounds at once, and with it how often each
sits at a short table or rests: whoever does meets a stand-in, who weighs less or more than a person.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from games.engine.chance import Chance
from league.formats.designs import Class

MOST_ENTRIES: Final = 60
"""Bigger fields are drawn round by round."""
WORK: Final = 100_000
STARTS: Final = 200
PERSON: Final = 4
SHORT: Final = 1
REST: Final = 100

Table: TypeAlias = list[int]


@cache
def schedule(entries: int, sizes: tuple[int, ...], rounds: int) -> tuple[Class, ...]:
    """Return rounds of tables of the sizes, places 0, 1, …, the same in every run; the others rest."""
    chance = Chance(f"schedule {entries} {sizes} {rounds}".encode())
    starts = max(2, min(STARTS, WORK // (entries * entries * rounds)))
    searches = [_Search(entries, sizes, rounds, chance, start) for start in range(starts)]
    best = min(searches, key=lambda search: search.cost)
    return tuple(best.classes())


class _Search:
    """One start of the search, run until no exchange of two within a round helps."""

    def __init__(self, entries: int, sizes: Sequence[int], rounds: int, chance: Chance, start: int) -> None:
        self.entries = entries
        self.weights = [PERSON] * entries + [SHORT, REST]
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
        """Return the weighted sum of squared meetings, each counted once from either side."""
        return sum(
            weight * met * met for row in self.met for weight, met in zip(self.weights, row, strict=True)
        )

    def classes(self) -> Iterator[Class]:
        """Yield the rounds, without stand-ins and rests."""
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
        """Return half of what the cost of a table changes by when one comes for another."""
        gone, come, weights = self.met[leaving], self.met[coming], self.weights
        return sum(weights[one] * (come[one] - gone[one] + 1) for one in table if one != leaving)

    def _move(self, leaving: int, coming: int, table: Table) -> None:
        for one in table:
            if one != leaving:
                self._meet(leaving, one, -1)
                self._meet(coming, one, 1)


def _tables(order: Sequence[int], sizes: Sequence[int]) -> list[Table]:
    """Return a round: tables, the short ones with a stand-in, and for each rest a table with another."""
    left = iter(order)
    short, rest = len(order), len(order) + 1
    longest = max(sizes, default=0)
    seated = [[next(left) for _ in range(size)] + [short] * (size < longest) for size in sizes]
    return [*seated, *([one, rest] for one in left)]
