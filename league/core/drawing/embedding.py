"""Ways to give the entries the numbers of a stored schedule so that it has the rounds already played."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from games.engine.chance import Chance
from league.core.drawing.base_rounds import DesignRound

STEPS: Final = 5_000
"""How often a search gives an entry a number."""
STEPS_EACH: Final = 10
"""A try that needs more steps than this for each entry is given up."""

Tables: TypeAlias = Sequence[Sequence[int]]


def embeddings(
    rounds: Sequence[DesignRound], played: Sequence[Tables], chance: Chance, label: str
) -> Iterator[list[int]]:
    """Yield the entry of each number of the schedule, for several ways found by a search of `STEPS`.

    Its first rounds then have the tables of the rounds played. All sit at a table in every round. Nothing is
    yielded where no way is found.
    """
    sizes = sorted(map(len, rounds[0]))
    if any(sorted(map(len, tables)) != sizes for tables in played):
        return
    entries, left, number = sum(sizes), STEPS, 0
    while left > 0:
        search = _Search(rounds, played, chance.shuffled(f"{label} {number}", range(entries)))
        if search.found():
            yield search.entry_of
        left -= search.steps
        number += 1


class _Search:
    """A search by backtracking: entries are tried in the given order."""

    def __init__(self, rounds: Sequence[DesignRound], played: Sequence[Tables], order: Sequence[int]) -> None:
        self.order = order
        self.numbers_at = [_table_of(tables, len(order)) for tables in rounds[: len(played)]]
        self.entries_at = [_table_of(tables, len(order)) for tables in played]
        self.table_of = [[-1] * len(tables) for tables in played]
        self.number_table_of = [[-1] * len(tables) for tables in played]
        self.entry_of = [-1] * len(order)
        self.free = set(order)
        self.steps = 0

    def found(self) -> bool:
        """Return whether the rest of the numbers can have entries, and give them."""
        if not self.free:
            return True
        number = max((one for one, entry in enumerate(self.entry_of) if entry < 0), key=self._known_tables)
        for entry in self.order:
            if entry in self.free and self._fits(number, entry):
                self.steps += 1
                new = self._place(number, entry)
                if self.found():
                    return True
                self._take_back(number, entry, new)
            if self.steps > STEPS_EACH * len(self.order):
                return False
        return False

    def _known_tables(self, number: int) -> int:
        return sum(known[at[number]] >= 0 for known, at in zip(self.table_of, self.numbers_at, strict=True))

    def _fits(self, number: int, entry: int) -> bool:
        for each, at in enumerate(self.numbers_at):
            here, there = at[number], self.entries_at[each][entry]
            known = self.table_of[each][here]
            if known != there and (known >= 0 or self.number_table_of[each][there] >= 0):
                return False
        return True

    def _place(self, number: int, entry: int) -> list[int]:
        """Give an entry the number; return the rounds in which its table was not yet known."""
        self.entry_of[number] = entry
        self.free.remove(entry)
        new = []
        for each, at in enumerate(self.numbers_at):
            here, there = at[number], self.entries_at[each][entry]
            if self.table_of[each][here] < 0:
                self.table_of[each][here], self.number_table_of[each][there] = there, here
                new.append(each)
        return new

    def _take_back(self, number: int, entry: int, new: Sequence[int]) -> None:
        self.entry_of[number] = -1
        self.free.add(entry)
        for each in new:
            here, there = self.numbers_at[each][number], self.entries_at[each][entry]
            self.table_of[each][here] = self.number_table_of[each][there] = -1


def _table_of(tables: Tables, count: int) -> list[int]:
    at = [-1] * count
    for number, table in enumerate(tables):
        for one in table:
            at[one] = number
    return at
