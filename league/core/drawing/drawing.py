"""What most formats share: tables of least cost, byes and short tables in turn, seats in rotation."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from heapq import nsmallest
from itertools import combinations
from typing import Final, TypeAlias

from games.engine.chance import Chance
from games.engine.values import replace
from league.core.drawing.bracket import PlayOff
from league.core.drawing.cost import History, costs, history_of, report
from league.core.drawing.draw import Draw, DrawnTable, GroupDraw, stage_sizes, table_sizes
from league.core.drawing.least_cost import Costs, Tables, best_seating, total
from league.core.drawing.matching import Edge, Matching
from league.core.drawing.schedule import embeddings, none_twice
from league.core.state.competition import PLAY_OFF, Competition, Round, Stage
from league.core.state.plan import StagePlan

# ---- Pairing -------------------------------------------------------------------------------------

NEAREST: Final = 8
"""The first matching is sought among so many of the cheapest opponents of each entry."""
LOT: Final = 1 << 24
"""The lots of pairs are below this: two pairings of equal cost have equal lots about never."""


def best_pairs(costs: Costs, chance: Chance) -> Tables:
    """Return an even number of entries in pairs of the least total cost.

    Of several such pairings it is the one with the least sum of lots. The seed gives a lot to each pair of
    entries, so the answer does not depend on how it is found.
    """
    prices = _with_lots(costs.meeting, chance)
    edges = _nearest(prices)
    while True:
        matching = Matching(_graph(prices, edges))
        missing = set(_too_cheap(prices, matching))
        if not missing:
            return [[one, other] for one, other in enumerate(matching.partner) if one < other]
        edges |= missing


def _with_lots(meeting: Sequence[Sequence[int]], chance: Chance) -> list[list[int]]:
    count = len(meeting)
    unit = LOT * count
    prices = [[unit * cost for cost in row] for row in meeting]
    for (one, other), word in zip(combinations(range(count), 2), chance.words("pairing"), strict=False):
        prices[one][other] += word % LOT
        prices[other][one] = prices[one][other]
    return prices


def _nearest(prices: Sequence[Sequence[int]]) -> set[Edge]:
    """Return the cheapest pairs of each entry, and those of two neighbours in the list: all can be paired."""
    count = len(prices)
    edges = {(one, one + 1) for one in range(0, count, 2)}
    for one, row in enumerate(prices):
        others = nsmallest(NEAREST + 1, range(count), key=row.__getitem__)
        edges.update((min(one, other), max(one, other)) for other in others if other != one)
    return edges


def _graph(prices: Sequence[Sequence[int]], edges: set[Edge]) -> list[dict[int, int]]:
    graph: list[dict[int, int]] = [{} for _ in prices]
    for one, other in sorted(edges):
        graph[one][other] = graph[other][one] = prices[one][other]
    return graph


def _too_cheap(prices: Sequence[Sequence[int]], matching: Matching) -> Iterator[Edge]:
    """Yield the pairs whose slack is negative: without any the matching is cheapest among all pairs."""
    value = matching.value
    for one, row in enumerate(prices):
        shared, mine = matching.shared_weights(one), value[one]
        for other in range(one):
            if 2 * row[other] + shared[other] < mine + value[other]:
                yield other, one


# ---- The order of seats --------------------------------------------------------------------------

FIRST: Final = 3
"""How much more the first seat weighs than any other."""


def in_seats(table: Sequence[str], history: History, chance: Chance) -> tuple[str, ...]:
    """Return a table's entries in seat order: by lot, then exchanged as long as seats become more even."""
    order = list(chance.shuffled(f"seats {min(table)}", sorted(table)))
    moved = True
    while moved:
        moved = False
        for one, other in combinations(range(len(order)), 2):
            stay = _cost(history, order[one], one) + _cost(history, order[other], other)
            move = _cost(history, order[one], other) + _cost(history, order[other], one)
            if move < stay:
                order[one], order[other] = order[other], order[one]
                moved = True
    return tuple(order)


def _cost(history: History, entry: str, seat: int) -> int:
    return history.seats[entry, seat] * (FIRST if seat == 0 else 1)


# ---- Spreading -----------------------------------------------------------------------------------

Met: TypeAlias = Mapping[str, Counter[str]]
"""How often each entry met each other one."""


def snaked(entries: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Return the entries dealt to tables of the sizes in snake order, which spreads the best seeds."""
    tables: list[list[str]] = [[] for _ in sizes]
    left = iter(entries)
    for turn in range(max(sizes)):
        order = range(len(sizes)) if turn % 2 == 0 else reversed(range(len(sizes)))
        for number in order:
            if len(tables[number]) < sizes[number]:
                tables[number].append(next(left))
    return tables


def kept_apart(tables: Sequence[Sequence[str]], met: Met) -> list[list[str]]:
    """Return the tables with entries exchanged as long as fewer meet again.

    First entries of one pot, those dealt in the same turn, change places: so the best seeds stay spread. Then
    entries of different pots do.
    """
    changed = [list(table) for table in tables]
    for same_pot in (True, False):
        while sum(_exchanged(changed, at, seat, met, same_pot) for at, seat in _seats(changed)):
            pass
    return changed


def _seats(tables: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    return ((at, seat) for at, table in enumerate(tables) for seat in range(len(table)))


def _exchanged(tables: list[list[str]], at: int, seat: int, met: Met, same_pot: bool) -> bool:
    """Make the exchange for the entry in a seat that avoids most meetings; return whether there is one."""
    here = tables[at]
    if not _again(here, seat, here[seat], met):
        return False
    others = [(to, other) for to, other in _seats(tables) if to != at and (other == seat or not same_pot)]
    avoided = [_avoided(here, seat, tables[to], other, met) for to, other in others]
    most = max(avoided, default=0)
    if most <= 0:
        return False
    to, other = others[avoided.index(most)]
    here[seat], tables[to][other] = tables[to][other], here[seat]
    return True


def _avoided(here: Sequence[str], seat: int, there: Sequence[str], other_seat: int, met: Met) -> int:
    one, other = here[seat], there[other_seat]
    before = _again(here, seat, one, met) + _again(there, other_seat, other, met)
    return before - _again(here, seat, other, met) - _again(there, other_seat, one, met)


def _again(table: Sequence[str], seat: int, entry: str, met: Met) -> int:
    """Return how often an entry has met the others of a table, if it has the seat."""
    return sum(met[entry][other] for number, other in enumerate(table) if number != seat)


# ---- Drawing a round -----------------------------------------------------------------------------

MANY: Final = Fraction(5, 3)
"""Entries that meet three fifths of the others in a stage need a schedule, or some would meet twice."""


def allotted(lots: Sequence[str], count: int, had: Mapping[str, int]) -> tuple[str, ...]:
    """Return who has a bye: those who had the fewest, and among them the first lots.

    Standings play no part: a bye must be no sign of how an entry stands.
    """
    return tuple(sorted(lots, key=lambda entry: had[entry])[:count])


@dataclass(frozen=True)
class Drawing:
    """A round that is being drawn, with everything that the draw may depend on; and the lots of a stage."""

    state: Competition
    stage: Stage
    number: int
    chance: Chance

    @cached_property
    def history(self) -> History:
        """Return who met whom, and who sat where, in the stage's published rounds."""
        return history_of(self.stage)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return how many entries a table may have."""
        return stage_sizes(self.state.opening, self.stage.plan)

    def each_group(
        self, draw_group: Callable[[int, Sequence[str]], GroupDraw], levels: Mapping[str, int] | None = None
    ) -> Draw:
        """Return the draw of all groups; ``draw_group`` takes a group's number and the entries that play."""
        fields = enumerate(self.state.field(self.stage, self.number), 1)
        groups = [draw_group(group, playing) for group, playing in fields if playing]
        tables = tuple(table for each in groups for table in each.tables)
        byes = tuple(entry for each in groups for entry in each.byes)
        idle = tuple(entry for each in groups for entry in each.idle)
        return Draw(tables, byes, idle, report(self.history, tables, byes, levels))

    def play_offs(self, ties: Sequence[PlayOff]) -> Draw:
        """Return a table for each tie; all others are idle."""

        def draw_group(group: int, playing: Sequence[str]) -> GroupDraw:
            tables = [self.seated(group, tie.entries, PLAY_OFF) for tie in ties if tie.group == group]
            seated = {entry for table in tables for entry in table.entries}
            return GroupDraw(tuple(tables), idle=tuple(entry for entry in playing if entry not in seated))

        return replace(self.each_group(draw_group), report={})

    def least_cost(
        self, group: int, entries: Sequence[str], levels: Mapping[str, int] | None = None
    ) -> GroupDraw:
        """Return a group's tables and byes.

        With ``levels``, standings as whole numbers, equals meet. Byes and short tables are allotted before,
        so that standings do not matter for them. All get byes where too few are left for any table.
        """
        sizes = table_sizes(len(entries), self.sizes, self.stage.plan.table_size)
        byes = self.resting(entries, len(entries) - sum(sizes))
        playing = sorted(entry for entry in entries if entry not in byes)
        tables = tuple(self.seated(group, table) for table in self._searched(playing, sizes, levels))
        return GroupDraw(tables, byes)

    def _searched(
        self, playing: Sequence[str], sizes: Sequence[int], levels: Mapping[str, int] | None
    ) -> Iterator[list[str]]:
        if not sizes:
            return iter(())
        pair_costs = costs(self.state, self.history, playing, levels, self.at_short_tables(playing, sizes))
        if all(size == 2 for size in sizes):
            tables = best_pairs(pair_costs, self.chance)
        else:
            order = [levels[entry] for entry in playing] if levels else None
            tables = best_seating(pair_costs, sizes, self.chance, order)
            tables = self._without_repeats(playing, pair_costs, tables)
        return ([playing[one] for one in table] for table in tables)

    def _without_repeats(self, playing: Sequence[str], pair_costs: Costs, searched: Tables) -> Tables:
        """Return a round of the stored schedule in which no two meet twice, where the stage needs one.

        The searched tables stay where the schedule can have them too, and in the last round where they are
        cheaper.
        """
        number, plan = self.number, self.stage.plan
        rounds = none_twice(len(playing), tuple(map(len, searched)))
        if number > len(rounds) or MANY * plan.rounds * (len(searched[0]) - 1) < len(playing) - 1:
            return searched
        played = [self._indices(playing, each) for each in self.stage.shown_rounds]
        if number < min(plan.rounds, len(rounds)) and any(
            embeddings(rounds, [*played, searched], self.chance, "searched")
        ):
            return searched
        found = (
            [[entry_of[one] for one in table] for table in rounds[number - 1]]
            for entry_of in embeddings(rounds, played, self.chance, "schedule")
        )
        best = min(found, key=partial(total, pair_costs), default=searched)
        is_last = number == plan.rounds
        return searched if is_last and total(pair_costs, searched) <= total(pair_costs, best) else best

    def _indices(self, playing: Sequence[str], each: Round) -> Tables:
        """Return the tables of a round as indices of entries; others are left out."""
        index = {entry: number for number, entry in enumerate(playing)}
        tables = ([index[one] for one in table.entries if one in index] for table in each.tables)
        return [table for table in tables if table]

    def resting(self, entries: Sequence[str], count: int) -> tuple[str, ...]:
        """Return who has a bye."""
        return allotted(self.chance.shuffled("byes", sorted(entries)), count, self.history.byes)

    def at_short_tables(self, entries: Sequence[str], sizes: Sequence[int]) -> tuple[str, ...]:
        """Return who sits at the tables that are shorter than the longest.

        Among those who had the fewest, each has met as few as possible of those chosen before: a single short
        table is thereby settled.
        """
        places = sum(size for size in sizes if size < max(sizes))
        lots = dict.fromkeys(self.chance.shuffled("short tables", sorted(entries)))
        had, met = self.history.short_tables, self.history.opponents
        chosen: list[str] = []
        for _ in range(places):
            chosen.append(min(lots, key=lambda entry: (had[entry], sum(met[entry][one] for one in chosen))))
            del lots[chosen[-1]]
        return tuple(chosen)

    @staticmethod
    def seeds(entries: Iterable[str], chance: Chance) -> tuple[str, ...]:
        """Return the entries of a stage whose groups are drawn, best seed first."""
        return chance.shuffled("groups", sorted(entries))

    @staticmethod
    def spread(seeds: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
        """Return groups of the sizes among which the seeds are spread."""
        return snaked(seeds, sizes)

    @staticmethod
    def lots(entries: Iterable[str], chance: Chance) -> tuple[str, ...]:
        """Return the entries of a stage in the order of their lots, the best first."""
        return chance.shuffled("lots", sorted(entries))

    def seated(self, group: int, entries: Sequence[str], label: str = "") -> DrawnTable:
        """Return a table with its entries in seat order."""
        return DrawnTable(in_seats(entries, self.history, self.chance), group, label)


EDITIONS: Final[Mapping[int, type[Drawing]]] = {1: Drawing, 2: Drawing}
"""The draw engines. What one draws never changes: other draws are another edition, in another class.

Since the second, partners whom all opponents leave before the round is published have a bye, before they had
their table for themselves.
"""
ALONE_HAS_BYE: Final = 2


def engine_of(plan: StagePlan) -> type[Drawing]:
    """Return the engine whose edition the plan of a stage names."""
    return EDITIONS[plan.editions.draws]


def begun(state: Competition, stage: Stage, number: int, chance: Chance) -> Drawing:
    """Return a round that is to be drawn by the engine whose edition the stage's plan names."""
    return engine_of(stage.plan)(state, stage, number, chance)
