"""What Swiss draws cost, against a long run.

    python -m benchmarks.draws [EXCHANGES [RUNS [SEEDS [ENTRIES …]]]]

Plays Swiss stages with results by lot, then draws the last round twice: as the service does, and by
simulated annealing of so many exchanges, the best of so many runs (2,000,000 and 1; the full test has
10,000,000 and 5, with 4 seeds). Prints for both the pairs that meet again, the cost without repeats, and the
processor time, then by how many per cent the draw costs more, where as many meet again.
"""

import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp
from random import Random
from time import process_time
from typing import Final, TypeVar

from benchmarks.machine import described
from games.engine.chance import Chance
from league.core.drawing import least_cost
from league.core.drawing.cost import REPEAT, SCALE
from league.core.drawing.draw import table_sizes
from league.core.drawing.least_cost import Costs, Tables, dealt, improved, total

T = TypeVar("T")
FIELDS: Final = (
    (24, 4, 5),
    (40, 4, 7),
    (60, 4, 8),
    (99, 5, 6),
    (100, 3, 9),
    (200, 4, 8),
    (500, 4, 8),
    (1000, 4, 10),
)
"""Entries, preferred table size, and the round that is drawn."""
HOT, COLD = 6_000.0, 3.0
CHEAP_REPEAT: Final = 10_000
"""What a repeat costs in the first three quarters of a long run, so that it gets past seatings with some."""
REACH: Final = 60
"""How many places away in the order of levels exchanges are tried."""
ON_THE_WAY: Final = 200
"""Exchanges for each entry in the rounds before the one that is measured."""


class Played:
    """A Swiss after some rounds: who met whom, and the points of each."""

    def __init__(self, entries: int, sizes: tuple[int, ...], seed: int) -> None:
        self.entries, self.sizes, self.random = entries, sizes, Random(seed)
        self.met = [[0] * entries for _ in range(entries)]
        self.points = [0] * entries

    @property
    def levels(self) -> list[int]:
        """Return the points on the scale of a Swiss draw."""
        low, high = min(self.points), max(self.points)
        return [(one - low) * SCALE // max(1, high - low) for one in self.points]

    def costs(self) -> Costs:
        """Return what meetings cost in the next round."""
        levels = self.levels
        rows = [
            [2 * REPEAT * times + (level - other) ** 2 for times, other in zip(row, levels, strict=True)]
            for row, level in zip(self.met, levels, strict=True)
        ]
        return Costs(rows, [0] * self.entries, REPEAT)

    def order(self) -> list[int]:
        """Return the entries in the order of levels, those of equal level shuffled."""
        levels = self.levels
        return sorted(self.random.sample(range(self.entries), self.entries), key=lambda one: -levels[one])

    def play(self) -> None:
        """Draw a round with few exchanges and give every table a result by lot."""
        annealing = Annealing(self.costs(), dealt(self.order(), self.sizes), self.random)
        for table in annealing.seated(ON_THE_WAY * self.entries):
            for one, other in combinations(table, 2):
                self.met[one][other] += 1
                self.met[other][one] += 1
            for place, one in enumerate(self.random.sample(table, len(table))):
                self.points[one] += len(table) - 1 - place


class Annealing:
    """Simulated annealing of one round, the yardstick, from tables in the order of levels."""

    def __init__(self, costs: Costs, tables: Tables, random: Random) -> None:
        self.costs, self.tables, self.random = costs, tables, random
        self.order = [one for table in tables for one in table]

    def seated(self, exchanges: int) -> Tables:
        """Return the tables after so many exchanges, at first with cheap repeats."""
        cheap = [
            [cost % self.costs.avoid + CHEAP_REPEAT * (cost // self.costs.avoid) for cost in row]
            for row in self.costs.meeting
        ]
        self._cool(cheap, exchanges * 3 // 4, HOT)
        self._cool(self.costs.meeting, exchanges // 4, HOT / 8)
        return improved(self.costs, self.tables)

    def _cool(self, meeting: Sequence[Sequence[int]], exchanges: int, hot: float) -> None:
        tables, draw = self.tables, self.random.random
        table_of = {one: table for table in tables for one in table}
        order, count = self.order, len(self.order)
        reach = min(REACH, count - 1)
        for step in range(exchanges):
            if step % 1_000 == 0:
                heat = hot * (COLD / hot) ** (step / exchanges)
            place = int(draw() * count)
            one, other = order[place], order[(place + 1 + int(draw() * reach)) % count]
            here, there = table_of[one], table_of[other]
            if here is there:
                continue
            leaving, coming = meeting[one], meeting[other]
            change = -2 * leaving[other]
            change += sum(coming[each] - leaving[each] for each in here)
            change += sum(leaving[each] - coming[each] for each in there)
            if change <= 0 or draw() < exp(-change / heat):
                here[here.index(one)], there[there.index(other)] = other, one
                table_of[one], table_of[other] = there, here


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what the work gives and its processor time in seconds."""
    began = process_time()
    return work(), process_time() - began


def measured(field: tuple[int, int, int], exchanges: int, runs: int, seed: int) -> str:
    """Return the line of a field."""
    entries, size, round_ = field
    sizes = table_sizes(entries, range(2, 11), size)
    played = Played(entries, sizes, seed)
    for _ in range(round_ - 1):
        played.play()
    costs, levels = played.costs(), played.levels
    chance = Chance(f"{field} {seed}".encode())
    tables, seconds = timed(lambda: least_cost.best_seating(costs, sizes, chance, levels))
    long, long_seconds = timed(lambda: _long_run(played, costs, exchanges, runs))
    repeats, spread = divmod(total(costs, tables), 2 * REPEAT)
    long_repeats, long_spread = divmod(long, 2 * REPEAT)
    excess = f"{100 * (spread - long_spread) / max(1, long_spread):+7.1f}" if repeats == long_repeats else "-"
    return (
        f"{entries:5} {size:4} {round_:5} {seed:4} {repeats:7} {spread:9} {seconds:6.1f}"
        f" {long_repeats:7} {long_spread:9} {long_seconds:6.1f} {excess:>7}\n"
    )


def _long_run(played: Played, costs: Costs, exchanges: int, runs: int) -> int:
    starts = (dealt(played.order(), played.sizes) for _ in range(runs))
    return min(total(costs, Annealing(costs, start, played.random).seated(exchanges)) for start in starts)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    exchanges, runs, seeds, *entries = (*map(int, arguments), *(2_000_000, 1, 1)[len(arguments) :])
    sys.stdout.write(f"{described()}\n")
    sys.stdout.write(
        "             draw                                    long run\n"
        "field size round seed repeats      cost      s repeats      cost      s  excess %\n"
    )
    for field in [each for each in FIELDS if not entries or each[0] in entries]:
        for seed in range(seeds):
            sys.stdout.write(measured(field, exchanges, runs, seed))
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
