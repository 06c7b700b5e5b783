"""Looks for shorter schedules in which all meet: ``python -m benchmarks.schedules ENTRIES SIZE [STEPS]``.

Anneals base rounds that are rotated by a cycle (1: all rounds by themselves), with one round less than the
best schedule known, and prints a record for `league.core.drawing.schedule` where it finds one. The
stored ones were found by the same method, in a compiled program that is not in this tree, with 10⁶ to 10⁷
steps for each field, number of rounds and cycle: this module finds again only what fewer steps reach. How
they were found does not matter for what they are: tests count the meetings of each.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp
from random import Random
from string import ascii_letters, digits

from benchmarks.machine import described
from league.core.drawing.draw import table_sizes
from league.core.drawing.schedule import counting_bound, fewest_rounds

LETTERS = digits + ascii_letters[26:] + ascii_letters[:26]
HOT, COLD = 0.6, 0.12


class Annealing:
    """Base rounds, each a list of tables, whose cost is the number of pairs that never meet."""

    def __init__(self, entries: int, sizes: Sequence[int], bases: int, cycle: int, seed: int) -> None:
        self.entries, self.cycle, self.random = entries, cycle, Random(seed)
        self.met = [[0] * entries for _ in range(entries)]
        self.cost = entries * (entries - 1) // 2
        self.bases: list[list[list[int]]] = []
        for _ in range(bases):
            left = iter(self.random.sample(range(entries), entries))
            seats = [*sizes, *[1] * (entries - sum(sizes))]
            self.bases.append([[next(left) for _ in range(size)] for size in seats])
        for table in (table for base in self.bases for table in base):
            for one, other in combinations(table, 2):
                self.meet(one, other, 1)

    def meet(self, one: int, other: int, times: int) -> None:
        """Let two meet so many times more, in every rotation of their round."""
        for step in range(self.cycle):
            here, there = self.shifted(one, step), self.shifted(other, step)
            before = self.met[here][there]
            self.met[here][there] = self.met[there][here] = before + times
            self.cost += (before + times == 0) - (before == 0)

    def shifted(self, entry: int, step: int) -> int:
        """Return what an entry becomes when its round is rotated."""
        layer, at = divmod(entry, self.cycle)
        return (
            entry
            if entry >= self.entries - self.entries % self.cycle
            else (layer * self.cycle + (at + step) % self.cycle)
        )

    def run(self, steps: int) -> bool:
        """Return whether all meet after so many exchanges at most."""
        for step in range(steps):
            heat = self.cycle * HOT * (COLD / HOT) ** (step / steps)
            here, there = self.random.sample(self.random.choice(self.bases), 2)
            at, to, before = self.random.randrange(len(here)), self.random.randrange(len(there)), self.cost
            self.exchange(here, at, there, to)
            if self.cost > before and self.random.random() > exp((before - self.cost) / heat):
                self.exchange(here, at, there, to)
            if self.cost == 0:
                return True
        return False

    def exchange(self, here: list[int], at: int, there: list[int], to: int) -> None:
        """Exchange two entries of one base round."""
        for table, seat, coming in ((here, at, there[to]), (there, to, here[at])):
            for other in (*table[:seat], *table[seat + 1 :]):
                self.meet(table[seat], other, -1)
                self.meet(coming, other, 1)
        here[at], there[to] = there[to], here[at]


def records(entries: int, sizes: tuple[int, ...], steps: int) -> Iterator[str]:
    """Yield a record for each cycle that gives a schedule with a round less than the best one."""
    rounds = fewest_rounds(entries, sizes) - 1
    if rounds < counting_bound(entries, sizes):
        return
    for cycle in (each for each in range(rounds, 0, -1) if rounds % each == 0 and each <= entries):
        search = Annealing(entries, sizes, rounds // cycle, cycle, seed=rounds)
        if search.run(steps // cycle):
            tables = (["".join(LETTERS[one] for one in table) for table in base] for base in search.bases)
            words = ("".join(each[: len(sizes)]) for each in tables)
            yield f"{entries}:{','.join(map(str, sizes))}:{cycle} {' '.join(words)}"


def main(arguments: Sequence[str]) -> None:
    """Print what is found for a field."""
    sys.stdout.write(f"{described()}\n")
    entries, size = map(int, arguments[:2])
    sizes = table_sizes(entries, range(2, 11), size)
    steps = int(arguments[2]) if len(arguments) > 2 else 1_000_000
    sys.stdout.write(
        f"{fewest_rounds(entries, sizes)} rounds known, bound {counting_bound(entries, sizes)}\n"
    )
    sys.stdout.writelines(f"{record}\n" for record in records(entries, sizes, steps))


if __name__ == "__main__":
    main(sys.argv[1:])
