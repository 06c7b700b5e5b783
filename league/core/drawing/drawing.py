"""What most formats share: tables of least cost, byes and short tables in turn, seats in rotation."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, islice
from typing import Any, ClassVar, Final, TypeAlias

from games.engine.chance import Chance
from games.engine.values import replace
from league.core.drawing.bracket import PlayOff
from league.core.drawing.cost import (
    NO_RULES,
    REPEAT,
    History,
    SidesAt,
    costs,
    distances,
    history_of,
    no_sides,
    report,
)
from league.core.drawing.draw import Draw, DrawnTable, GroupDraw, stage_sizes, table_sizes
from league.core.drawing.least_cost import Costs, Tables, best_seating, dealt, improved, total
from league.core.drawing.pairing import best_pairs
from league.core.drawing.partners import Partners, are_two_pairs
from league.core.drawing.schedule import embeddings, none_twice
from league.core.drawing.whist import Whist, whist
from league.core.drawing.wishes import Rules, Units, grouped, rules_of
from league.core.state.competition import PLAY_OFF, Competition, Round, Stage
from league.core.state.cut_offs import Wish
from league.core.state.plan import Opening, StagePlan

# ---- The order of seats --------------------------------------------------------------------------


def in_seats(table: Sequence[str], history: History, chance: Chance) -> tuple[str, ...]:
    """Return a table's entries in seat order: by lot, then exchanged as long as seats become more even."""
    order = list(chance.shuffled(f"seats {min(table)}", sorted(table)))
    moved = True
    while moved:
        moved = False
        for one, other in combinations(range(len(order)), 2):
            stay = history.seat_cost(order[one], one) + history.seat_cost(order[other], other)
            move = history.seat_cost(order[one], other) + history.seat_cost(order[other], one)
            if move < stay:
                order[one], order[other] = order[other], order[one]
                moved = True
    return tuple(order)


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
TURNS: Final = 200
"""So many sets of entries are tried for byes, in turn, until one leaves tables that wishes allow."""


def allotted(lots: Sequence[str], count: int, had: Mapping[str, Any]) -> tuple[str, ...]:
    """Return who has a bye: those who had the fewest, and among them the first lots.

    Standings play no part, unless a stage says so: a bye must be no sign of how an entry stands.
    """
    return tuple(sorted(lots, key=lambda entry: had[entry])[:count])


@dataclass(frozen=True)
class Drawing:
    """A round that is being drawn, with everything that the draw may depend on; and the lots of a stage.

    ``last`` is the number of the stage's last round. ``turns`` say who has a bye, the least first, where that
    is not who had the fewest.
    """

    state: Competition
    stage: Stage
    number: int
    chance: Chance
    last: int
    turns: Mapping[str, Any] | None = None

    knows_wishes: ClassVar[bool] = True
    knows_sizes: ClassVar[bool] = True

    @cached_property
    def history(self) -> History:
        """Return who met whom, and who sat where, in the stage's published rounds."""
        return history_of(self.stage, self.sides_at(self.state.opening))

    @staticmethod
    def sides_at(opening: Opening) -> SidesAt:
        """Return who are partners at a table of so many seats."""
        return opening.sides_at

    @cached_property
    def partners(self) -> Partners:
        """Return how partners of the round are found, where they change."""
        return Partners(self.history, self.sides_at(self.state.opening), self.chance)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return how many entries a table may have."""
        return stage_sizes(self.state.opening, self.stage.plan)

    def sizes_of(self, group: int, entries: int) -> tuple[int, ...]:
        """Return the sizes of a group's tables, biggest first: chosen for this round, else as planned."""
        chosen = self.state.sizes
        return chosen[group - 1] if chosen else table_sizes(entries, self.sizes, self.stage.plan.table_size)

    def rules(self, entries: Collection[str]) -> Rules:
        """Return the wishes that count in the round among the entries."""
        return rules_of(self.state.wishes.between, entries, self.number, self.last)

    def each_group(
        self, draw_group: Callable[[int, Sequence[str]], GroupDraw], levels: Mapping[str, int] | None = None
    ) -> Draw:
        """Return the draw of all groups; ``draw_group`` takes a group's number and the entries that play."""
        fields = enumerate(self.state.field(self.stage, self.number), 1)
        groups = [draw_group(group, playing) for group, playing in fields if playing]
        tables = tuple(table for each in groups for table in each.tables)
        byes = tuple(entry for each in groups for entry in each.byes)
        idle = tuple(entry for each in groups for entry in each.idle)
        playing = {entry for table in tables for entry in table.entries}
        rules, sides_at = self.rules(playing), self.partners.sides_at
        return Draw(tables, byes, idle, report(self.history, tables, byes, levels, rules, sides_at))

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
        if levels is None and (found := self._of_whist(group, entries)):
            return found
        sizes, byes = self._sizes_and_byes(group, entries)
        playing = sorted(entry for entry in entries if entry not in byes)
        tables = self._with_partners(playing, sizes, levels)
        return GroupDraw(tuple(self.seated(group, table, sides=True) for table in tables), byes)

    def _of_whist(self, group: int, entries: Sequence[str]) -> GroupDraw | None:
        """Return a group's next round of a whist tournament, None where it plays none."""
        sizes, playing = self.sizes_of(group, len(entries)), sorted(entries)
        rounds = whist(len(playing), sizes, self.last)
        if not rounds or self.rules(playing) or not are_two_pairs(self.partners.sides_at):
            return None
        tables = Whist(rounds, playing, self.stage.shown_rounds).tables(self.chance)
        if tables is None:
            return None
        names = [[playing[one] for one in table] for table in tables]
        seated = {entry for table in names for entry in table}
        byes = tuple(entry for entry in playing if entry not in seated)
        return GroupDraw(tuple(self.seated(group, table, sides=True) for table in names), byes)

    def _with_partners(
        self, playing: Sequence[str], sizes: Sequence[int], levels: Mapping[str, int] | None
    ) -> list[Sequence[str]]:
        """Return tables, in the order of their sides where partners change.

        They come from a search for those who met least often, or from pairs of partners, whichever has fewer
        partners again.
        """
        searched = [self._in_sides(table) for table in self._searched(playing, sizes, levels)]
        if not are_two_pairs(self.partners.sides_at) or max(sizes, default=0) != 4:
            return searched
        rules, prices = self.rules(playing), self._prices(playing, sizes, levels)
        index = {entry: number for number, entry in enumerate(playing)}

        def cost(tables: Sequence[Sequence[str]]) -> tuple[int, int, int]:
            broken = sum(always for _, always in rules.broken(tables))
            seated = [[index[entry] for entry in table] for table in tables]
            return broken, self.partners.cost(tables), total(prices, seated)

        if cost(searched) < (0, 0, REPEAT):
            return searched
        return min([searched, *self._of_pairs(playing, sizes, levels)], key=cost)

    def _of_pairs(
        self, playing: Sequence[str], sizes: Sequence[int], levels: Mapping[str, int] | None
    ) -> Iterator[list[Sequence[str]]]:
        """Yield seatings whose tables of four have the least frequent partners; shorter ones are searched."""
        short, fours = self.at_short_tables(playing, sizes), sizes.count(4)
        others = self._with_partners(sorted(short), sizes[fours:], levels)
        pairing = [entry for entry in playing if entry not in short]
        prices = self._prices(pairing, sizes[:fours], levels)
        for tables in self.partners.paired(pairing, prices):
            yield [*([pairing[one] for one in table] for table in tables), *others]

    def _in_sides(self, table: Sequence[str]) -> Sequence[str]:
        return self.partners.in_sides(table) if self.partners.sides_at(len(table)) else table

    def _prices(
        self, playing: Sequence[str], sizes: Sequence[int], levels: Mapping[str, int] | None
    ) -> Costs:
        """Return what each two cost at one table of the sizes, and a short table each."""
        short = self.at_short_tables(playing, sizes)
        return costs(self.state, self.history, playing, levels, short, self.rules(playing), sizes)

    def in_order(self, group: int, entries: Sequence[str], order: Sequence[Sequence[str]]) -> GroupDraw:
        """Return a group's tables filled by an order, short tables last; level entries follow by lot.

        Whoever met before may meet again. Byes are allotted as ever. Where a wish needs it, entries change
        places that are as near in the order as possible.
        """
        sizes, byes = self._sizes_and_byes(group, entries)
        place = {entry: at for at, level in enumerate(order) for entry in level}
        lots = self.chance.shuffled("level", sorted(entry for entry in entries if entry not in byes))
        ranked = sorted(lots, key=lambda entry: place.get(entry, len(order)))
        tables = dealt(range(len(ranked)), sizes)
        if self._broken(ranked, tables):
            far = distances(self.state, ranked, self.rules(ranked), sizes)
            tables = improved(far, far.begun(range(len(ranked)), sizes))
        seats = ([ranked[at] for at in sorted(table)] for table in tables)
        return GroupDraw(tuple(self.seated(group, table) for table in seats), byes)

    def _sizes_and_byes(self, group: int, entries: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
        sizes = self.sizes_of(group, len(entries))
        return sizes, self.resting(entries, len(entries) - sum(sizes), sizes)

    def _searched(
        self, playing: Sequence[str], sizes: Sequence[int], levels: Mapping[str, int] | None
    ) -> Iterator[list[str]]:
        if not sizes:
            return iter(())
        pair_costs = self._prices(playing, sizes, levels)
        if all(size == 2 for size in sizes):
            tables = best_pairs(pair_costs.meeting, self.chance)
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
        if self._broken(playing, best) > self._broken(playing, searched):
            return searched
        is_last = number == plan.rounds
        return searched if is_last and total(pair_costs, searched) <= total(pair_costs, best) else best

    def _broken(self, playing: Sequence[str], tables: Tables) -> int:
        """Return how many wishes tables don't keep; those that hold always count more than all others."""
        seated = ([playing[one] for one in table] for table in tables)
        return sum(len(playing) ** 2 if always else 1 for _, always in self.rules(playing).broken(seated))

    def _indices(self, playing: Sequence[str], each: Round) -> Tables:
        """Return the tables of a round as indices of entries; others are left out."""
        index = {entry: number for number, entry in enumerate(playing)}
        tables = ([index[one] for one in table.entries if one in index] for table in each.tables)
        return [table for table in tables if table]

    def resting(self, entries: Sequence[str], count: int, sizes: Sequence[int] = ()) -> tuple[str, ...]:
        """Return who has a bye: the next ones in turn with whom the others can be seated by their wishes."""
        lots, had = self.chance.shuffled("byes", sorted(entries)), self.turns or self.history.byes
        found = allotted(lots, count, had)
        rules = self.rules(entries)
        if not (rules and sizes and count):
            return found
        turns = allotted(lots, len(lots), had)
        for some in islice(combinations(turns, count), TURNS):
            left = [entry for entry in turns if entry not in some]
            split = any(len(pair.intersection(some)) == 1 for pair in rules.together)
            if not split and Units(self.rules(left), left).seated(range(len(left)), sizes):
                return some
        tables = Units(rules, turns).seated(range(len(turns)), sizes, resting=count)
        return tuple(turns[one] for one in tables[-1]) if tables else found

    def at_short_tables(self, entries: Sequence[str], sizes: Sequence[int]) -> tuple[str, ...]:
        """Return who sits at the tables that are shorter than the longest.

        Among those who had the fewest, each has met as few as possible of those chosen before: a single short
        table is thereby settled.
        """
        places = sum(size for size in sizes if size < max(sizes))
        lots = dict.fromkeys(self.chance.shuffled("short tables", sorted(entries)))
        had, met = self.history.short_tables, self.history.opponents
        together = self.rules(entries).together
        chosen: list[str] = []
        while lots and len(chosen) < places:
            here = min(lots, key=lambda entry: (had[entry], sum(met[entry][one] for one in chosen)))
            unit = [here, *(one for one in lots if one != here and frozenset((one, here)) in together)]
            fits = len(chosen) + len(unit) <= places or len(lots) <= places - len(chosen)
            chosen += unit[: places - len(chosen)] if fits else []
            for one in unit:
                del lots[one]
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
    def grouped(groups: Sequence[Sequence[str]], wishes: Sequence[Wish]) -> list[list[str]]:
        """Return groups drawn by lot with entries exchanged for their wishes."""
        return grouped(groups, wishes)

    @staticmethod
    def lots(entries: Iterable[str], chance: Chance) -> tuple[str, ...]:
        """Return the entries of a stage in the order of their lots, the best first."""
        return chance.shuffled("lots", sorted(entries))

    def seated(
        self, group: int, entries: Sequence[str], label: str = "", *, sides: bool = False
    ) -> DrawnTable:
        """Return a table with its entries in seat order; with ``sides`` partners stay as they are."""
        if not self.partners.sides_at(len(entries)):
            return DrawnTable(in_seats(entries, self.history, self.chance), group, label)
        order = entries if sides else self.partners.in_sides(entries)
        return DrawnTable(self.partners.in_seats(order), group, label)


class WithoutPartners(Drawing):
    """The fourth edition: of partners that change nobody takes care."""

    @staticmethod
    def sides_at(opening: Opening) -> SidesAt:
        return no_sides


class WithoutSizes(WithoutPartners):
    """The third edition: tables have the sizes that the stage plans."""

    knows_sizes = False


class WithoutWishes(WithoutSizes):
    """The first two editions."""

    knows_wishes = False

    def rules(self, entries: Collection[str]) -> Rules:
        return NO_RULES

    @staticmethod
    def grouped(groups: Sequence[Sequence[str]], wishes: Sequence[Wish]) -> list[list[str]]:
        return [list(group) for group in groups]


EDITIONS: Final[Mapping[int, type[Drawing]]] = {
    1: WithoutWishes,
    2: WithoutWishes,
    3: WithoutSizes,
    4: WithoutPartners,
    5: Drawing,
}
"""The draw engines. What one draws never changes: other draws are another edition, in another class.

Since the second, partners whom all opponents leave before the round is published have a bye, before they had
their table for themselves. Since the third, wishes count, and tables can be filled by an order. Since the
fourth, sizes of tables can be chosen for a round. Since the fifth, partners that change are shared out
evenly. A draw without any of these is that of the second.
"""
ALONE_HAS_BYE: Final = 2


def engine_of(plan: StagePlan) -> type[Drawing]:
    """Return the engine whose edition the plan of a stage names."""
    return EDITIONS[plan.editions.draws]


def begun(state: Competition, stage: Stage, number: int, chance: Chance, last: int | None = None) -> Drawing:
    """Return a round that is to be drawn by the engine whose edition the stage's plan names.

    ``last`` is the number of the stage's last round; by default as many as were asked for.
    """
    return engine_of(stage.plan)(state, stage, number, chance, stage.plan.rounds if last is None else last)
