"""Tables of the least total cost: all seatings are tried in a small field, a search runs in others.

The search improves seeded starts by exchanges until none helps. The cost of a seating is the sum of what
every two at one table cost, and of what entries at a table shorter than the longest cost: see `cost`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod
from typing import Final, TypeAlias

from games.engine.chance import Chance

Tables: TypeAlias = list[list[int]]

FEW: Final = 20_000
"""Up to so many seatings all are tried: 12 entries at tables of 3 have 15,400."""
STEPS: Final = 4_400_000
"""Exchanges that a search tries over all its starts, half as many in a field of more than `DENSE`.

In a small field they are `STEPS_EACH` for each entry squared.
"""
STEPS_EACH: Final = 1_000
DENSE: Final = 100
STARTS: Final = 20
LONG_FROM: Final = 47
LONG_STARTS: Final = 8
"""From so many entries on, fewer and longer starts find more than many short ones."""
START_EACH: Final = 2_000
"""A start tries at least so many exchanges for each entry: big fields have fewer starts."""
THRESHOLDS: Final = 60
HOTTEST: Final = 6_000
"""The first threshold: an exchange that costs no more is accepted. The others fall to 0 with the cube.

In a field of more than `DENSE` it is lower in proportion: its levels are denser.
"""
AVOIDED: Final = 10_000
"""What a start at first counts instead of each `Costs.avoid`, so that it gets past seatings with repeats."""
REACH: Final = 12
"""How many tables away in the order of levels exchanges are tried."""
NEAR: Final = 40
"""How many tables away the last exchanges are tried: where levels sort them, farther ones do not help."""
NEVER: Final = 2**62
TOGETHER: Final = 10**20
"""What it costs who must sit together that somebody else is at the table: more than all else."""
TRIALS: Final = 200_000
"""Tables tried in looking for a seating without an avoidable meeting."""


@dataclass(frozen=True)
class Costs:
    """What each meeting of two entries costs (symmetric, 0 on the diagonal), and a short table each.

    None is below 0. A search that leaves a meeting of cost ``avoid`` or more looks for a seating without any.
    ``start`` makes the seating in which a search begins, from an order and sizes; None where it finds none.
    """

    meeting: Sequence[Sequence[int]]
    short: Sequence[int]
    avoid: int = NEVER
    start: Callable[[Sequence[int], Sequence[int]], Tables | None] | None = None

    def begun(self, order: Sequence[int], sizes: Sequence[int]) -> Tables:
        """Return the seating in which a search begins: the order, cut into tables, where wishes allow it."""
        return (self.start and self.start(order, sizes)) or dealt(order, sizes)

    def avoids(self, cost: int) -> bool:
        """Return whether a meeting is one to be without, whoever else sits together."""
        return cost % TOGETHER >= self.avoid


def best_seating(
    costs: Costs, sizes: Sequence[int], chance: Chance, levels: Sequence[int] | None = None
) -> Tables:
    """Return tables of the sizes: the cheapest where seatings are few, else the cheapest found.

    The same seed gives the same tables, and also decides between equal costs.
    """
    if seatings(sizes) <= FEW:
        return _Trial(costs, sizes, chance.shuffled("seating 0", range(len(costs.meeting)))).cheapest()
    return _searched(costs, sizes, chance, levels)


def seatings(sizes: Sequence[int]) -> int:
    """Return in how many ways tables of the sizes can be filled."""
    alike = prod(map(factorial, Counter(sizes).values()))
    return factorial(sum(sizes)) // (prod(map(factorial, sizes)) * alike)


# ---- All seatings --------------------------------------------------------------------------------


class _Trial:
    """Every seating of a small field in turn, given up as soon as it costs no less than the best so far."""

    def __init__(self, costs: Costs, sizes: Sequence[int], order: Sequence[int]) -> None:
        self.costs, self.sizes, self.order = costs, sizes, order
        self.longest = max(sizes, default=0)
        self.best: tuple[int, Tables] | None = None

    def cheapest(self) -> Tables:
        self._fill([], tuple(self.order), tuple(sorted(self.sizes, reverse=True)), 0)
        assert self.best is not None
        return self.best[1]

    def _fill(self, tables: Tables, left: Sequence[int], sizes: Sequence[int], cost: int) -> None:
        if self.best is not None and cost >= self.best[0]:
            return
        if not sizes:
            self.best = (cost, tables)
            return
        first, *rest = left
        for table in _tables_of(first, rest, sizes):
            others = [one for one in rest if one not in table]
            self._fill([*tables, table], others, _without(sizes, len(table)), cost + self._cost(table))

    def _cost(self, table: Sequence[int]) -> int:
        meetings = sum(self.costs.meeting[one][other] for one, other in combinations(table, 2))
        return meetings + (sum(self.costs.short[one] for one in table) if len(table) < self.longest else 0)


def _tables_of(one: int, others: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """Yield each table, the biggest first, at which one can sit with some of the others."""
    for size in sorted({*sizes}, reverse=True):
        for company in combinations(others, size - 1):
            yield [one, *company]


def _without(sizes: Sequence[int], size: int) -> list[int]:
    left = list(sizes)
    left.remove(size)
    return left


# ---- A search ------------------------------------------------------------------------------------


def _searched(costs: Costs, sizes: Sequence[int], chance: Chance, levels: Sequence[int] | None) -> Tables:
    """Return the best of several starts, each of which first fills the tables in a shuffled order.

    Levels sort that order, the highest first.
    """
    count = len(costs.meeting)
    steps = min(STEPS if count <= DENSE else STEPS // 2, STEPS_EACH * count**2)
    starts = max(1, min(STARTS if count < LONG_FROM else LONG_STARTS, steps // (START_EACH * count)))
    best: tuple[int, Tables] | None = None
    for start in range(starts):
        order = chance.shuffled(f"seating {start}", range(count))
        if levels:
            order = tuple(sorted(order, key=lambda one: -levels[one]))
        state = next(chance.words(f"exchanges {start}"))
        reach = min(REACH * max(sizes) if levels else count, count - 1)
        tables = improved(costs, _annealed(costs, order, sizes, steps // starts, reach, state))
        cost = total(costs, tables)
        if best is None or cost < best[0]:
            best = (cost, tables)
        if best[0] == 0:
            break
    assert best is not None
    if _has_avoidable(costs, best[1]):
        apart = _Apart(costs).seating(chance.shuffled("seating 0", range(count)), sizes)
        found = improved(costs, apart) if apart else best[1]
        return found if not costs.start or total(costs, found) < best[0] else best[1]
    return best[1]


def _annealed(
    costs: Costs, order: Sequence[int], sizes: Sequence[int], steps: int, reach: int, state: int
) -> Tables:
    """Return a seating after exchanges accepted below falling thresholds, at first with cheaper repeats.

    Threshold accepting (G. Dueck and T. Scheuer, Journal of Computational Physics 90, 1990). All is done in
    whole numbers: the same state gives the same tables everywhere.
    """
    begun = costs.begun(order, sizes)
    tables = improved(costs, begun) if len(sizes) <= NEAR else begun
    if total(costs, tables) == 0:
        return tables
    cheaper = [
        [cost % costs.avoid + AVOIDED * (cost // costs.avoid) for cost in row] for row in costs.meeting
    ]
    hottest = HOTTEST * DENSE // max(DENSE, len(order))
    state = _accepted(cheaper, costs.short, order, tables, steps * 3 // 4, reach, hottest, state)
    _accepted(costs.meeting, costs.short, order, tables, steps // 4, reach, hottest // 8, state)
    return tables


def _accepted(
    meeting: Sequence[Sequence[int]],
    short: Sequence[int],
    order: Sequence[int],
    tables: Tables,
    steps: int,
    reach: int,
    hottest: int,
    state: int,
) -> int:
    """Exchange entries that are at most ``reach`` apart in the order; return the generator's next state.

    The generator is linear congruential, with Knuth's constants for MMIX; its high bits choose the entries.
    """
    count, longest = len(order), max(map(len, tables))
    table_of = {one: table for table in tables for one in table}
    for number in range(THRESHOLDS, -1, -1):
        threshold = hottest * number**3 // THRESHOLDS**3
        for _ in range(steps // (THRESHOLDS + 1)):
            state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            place = (state >> 40) % count
            one, other = order[place], order[(place + 1 + (state >> 16 & 0xFFFFFF) % reach) % count]
            here, there = table_of[one], table_of[other]
            if here is there:
                continue
            leaving, coming = meeting[one], meeting[other]
            change = -2 * leaving[other]
            for each in here:
                change += coming[each] - leaving[each]
            for each in there:
                change += leaving[each] - coming[each]
            if len(here) != len(there):
                shorter = (len(there) < longest) - (len(here) < longest)
                change += shorter * (short[one] - short[other])
            if change <= threshold:
                here[here.index(one)], there[there.index(other)] = other, one
                table_of[one], table_of[other] = there, here
    return state


def _has_avoidable(costs: Costs, tables: Tables) -> bool:
    return any(
        costs.avoids(costs.meeting[one][other]) for table in tables for one, other in combinations(table, 2)
    )


class _Apart:
    """A seating without an avoidable meeting, looked for by backtracking until the trials are used up."""

    def __init__(self, costs: Costs) -> None:
        self.avoids = [
            {other for other, cost in enumerate(row) if costs.avoids(cost)} for row in costs.meeting
        ]
        self.trials = TRIALS

    def seating(self, left: Sequence[int], sizes: Sequence[int]) -> Tables | None:
        if not left:
            return []
        hardest = max(left, key=lambda one: len(self.avoids[one].intersection(left)))
        for table in self._tables(hardest, left, sizes):
            others = self.seating([one for one in left if one not in table], _without(sizes, len(table)))
            if others is not None:
                return [table, *others]
        return None

    def _tables(self, one: int, left: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
        """Yield the tables that one can share with others of those left."""
        possible = [other for other in left if other != one and other not in self.avoids[one]]
        for table in _tables_of(one, possible, sizes):
            self.trials -= 1
            if self.trials < 0:
                return
            if not any(other in self.avoids[each] for each, other in combinations(table[1:], 2)):
                yield table


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
    """A seating, and for each table what it costs each entry to sit there, updated at every exchange."""

    def __init__(self, costs: Costs, tables: Tables) -> None:
        self.meeting = costs.meeting
        self.short = costs.short
        self.tables = [list(table) for table in tables]
        self.table_of = {one: number for number, table in enumerate(tables) for one in table}
        self.sums = [self._sums(table) for table in tables]
        longest = max(map(len, tables), default=0)
        self.is_short = [len(table) < longest for table in tables]

    def _sums(self, table: Sequence[int]) -> list[int]:
        rows = [self.meeting[one] for one in table]
        return list(map(sum, zip(*rows, strict=True)))

    def cost_of(self, one: int) -> int:
        """Return what the entry costs at its table."""
        here = self.table_of[one]
        return self.sums[here][one] + self.short[one] * self.is_short[here]

    def exchange(self, one: int) -> bool:
        """Exchange the entry with the one that lowers the cost most; return whether there was any."""
        here = self.table_of[one]
        near = range(max(0, here - NEAR), min(len(self.tables), here + NEAR + 1))
        gains = (self._best_gain(one, here, there) for there in near if there != here)
        gain, other = max(gains, default=(0, 0))
        if gain <= 0:
            return False
        self._swap(one, -other)
        return True

    def _best_gain(self, one: int, here: int, there: int) -> tuple[int, int]:
        """Return the most that an exchange with an entry of another table gains, and that entry negated."""
        leaving, coming, meeting = self.sums[here], self.sums[there], self.meeting[one]
        shorter = self.is_short[there] - self.is_short[here]
        base = leaving[one] - coming[one] - shorter * self.short[one]
        return max(
            (base + coming[other] - leaving[other] + 2 * meeting[other] + shorter * self.short[other], -other)
            for other in self.tables[there]
        )

    def _swap(self, one: int, other: int) -> None:
        here, there = self.table_of[one], self.table_of[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.table_of[one], self.table_of[other] = there, here
        change = [gone - come for gone, come in zip(self.meeting[other], self.meeting[one], strict=True)]
        self.sums[here] = [sum_ + more for sum_, more in zip(self.sums[here], change, strict=True)]
        self.sums[there] = [sum_ - more for sum_, more in zip(self.sums[there], change, strict=True)]
