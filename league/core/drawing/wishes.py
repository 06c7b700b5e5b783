"""Wishes in a draw: who must not meet, who sits together, and the numbers of tables (docs/draws.md, 4).

A wish that holds ``always`` is never broken where any seating keeps it: `Units.seated` finds one by
backtracking, bounded by `TRIALS`, in which the search of least cost begins. Without wishes nothing here
changes a draw.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, Protocol, TypeAlias, TypeVar, assert_never

from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, both, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.cut_offs import FixedTable, Wish, Wishes, WishKind
from league.core.state.rooms import NO_ROOMS, Rooms

Pair: TypeAlias = frozenset[str]
TRIALS: Final = 20_000
"""Units placed in looking for a seating that keeps all wishes."""


def said(wish: Wish, state: Competition) -> Message:
    """Return a wish in words."""
    names = both([state.entry(each).name for each in wish.entries])
    match wish.wish:
        case "apart" if not wish.always:
            return text("%(names)s not at one table if possible", names=names)
        case "apart":
            return text("%(names)s never at one table", names=names)
        case "apart_first" if not wish.always:
            return text("%(names)s not at one table in the first round if possible", names=names)
        case "apart_first":
            return text("%(names)s not at one table in the first round", names=names)
        case "apart_last" if not wish.always:
            return text("%(names)s not at one table in the last round if possible", names=names)
        case "apart_last":
            return text("%(names)s not at one table in the last round", names=names)
        case "together" if wish.is_hope:
            return text("%(names)s at one table if possible", names=names)
        case "together":
            return text("%(names)s always at one table", names=names)
        case _:
            assert_never(wish.wish)


# ---- The wishes of a round -----------------------------------------------------------------------


def pairs(wish: Wish) -> Iterator[Pair]:
    """Yield every two entries of a wish."""
    return map(frozenset, combinations(wish.entries, 2))


def counts_in(wish: Wish, number: int, last: int) -> bool:
    """Return whether a wish counts in a round of a stage with so many rounds."""
    match wish.wish:
        case "apart_first":
            return number == 1
        case "apart_last":
            return number == last
        case _:
            return True


@dataclass(frozen=True)
class Rules:
    """The wishes of a round, by pairs of entries: those ``apart`` always or if possible; those together."""

    apart: Mapping[Pair, bool]
    together: frozenset[Pair]

    @cached_property
    def mates(self) -> frozenset[str]:
        """Return the entries that sit together with others."""
        return frozenset(entry for pair in self.together for entry in pair)

    def __bool__(self) -> bool:
        return bool(self.apart or self.together)

    def among(self, entries: Collection[str]) -> "Rules":
        """Return the wishes of some of the entries for each other."""
        apart = {pair: always for pair, always in self.apart.items() if pair.issubset(entries)}
        return Rules(apart, frozenset(pair for pair in self.together if pair.issubset(entries)))

    def broken(self, tables: Iterable[Collection[str]]) -> Iterator[tuple[Pair, bool]]:
        """Yield the pairs whose wish the tables, and those without one, do not keep; and if it is always."""
        at = {entry: number for number, table in enumerate(tables) for entry in table}
        for pair, always in self.apart.items():
            here = [at.get(entry) for entry in pair]
            if None not in here and len({*here}) == 1:
                yield pair, always
        for pair in self.together:
            if len({at.get(entry) for entry in pair}) > 1:
                yield pair, True


def rules_of(wishes: Iterable[Wish], entries: Collection[str], number: int, last: int) -> Rules:
    """Return the wishes that count in a round among the entries."""
    apart: dict[Pair, bool] = {}
    together = set[Pair]()
    for wish in (each for each in wishes if not each.is_hope):
        found = [pair for pair in pairs(wish) if pair.issubset(entries) and counts_in(wish, number, last)]
        if wish.wish == "together":
            together.update(found)
        else:
            apart |= {pair: wish.always or apart.get(pair, False) for pair in found}
    return Rules(apart, frozenset(together))


# ---- Seatings that keep them ---------------------------------------------------------------------


class Units:
    """The entries of a round by index, in units that sit at one table, and who must not meet."""

    def __init__(self, rules: Rules, entries: Sequence[str]) -> None:
        self.count = len(entries)
        index = {entry: number for number, entry in enumerate(entries)}
        self.apart: list[set[int]] = [set() for _ in entries]
        for pair, always in rules.apart.items():
            if always:
                one, other = (index[entry] for entry in pair)
                self.apart[one].add(other)
                self.apart[other].add(one)
        mates = [[*map(index.__getitem__, sorted(pair))] for pair in sorted(rules.together, key=sorted)]
        self.units = self._units(mates)

    def _units(self, mates: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return who must be placed together, and each other entry that must not meet some: hardest first."""
        unit_of = {one: [one] for one in range(self.count)}
        for one, other in mates:
            if unit_of[one] is not unit_of[other]:
                unit_of[one].extend(unit_of[other])
                unit_of |= dict.fromkeys(unit_of[other], unit_of[one])
        units = {id(unit): unit for unit in unit_of.values() if len(unit) > 1 or self.apart[unit[0]]}
        return sorted(units.values(), key=lambda unit: (-len(unit), -self._degree(unit), min(unit)))

    def _degree(self, unit: Sequence[int]) -> int:
        return sum(len(self.apart[one]) for one in unit)

    def seated(
        self, order: Sequence[int], sizes: Sequence[int], short: Collection[int] = (), resting: int = 0
    ) -> list[list[int]] | None:
        """Return tables of the sizes, filled in the order, without one that breaks a wish; None for none.

        ``short`` are those to sit at short tables, where the wishes allow it; ``resting`` get no table, and
        are returned as one more, at the end.
        """
        if any(self.apart[one].intersection(unit) for unit in self.units for one in unit):
            return None
        filling = _Filling(self, order, [*sizes, resting] if resting else sizes, short, bool(resting))
        if not filling.place(0):
            return None
        placed = {one for table in filling.tables for one in table}
        left = iter([one for one in order if one not in placed])
        room = zip(filling.tables, filling.sizes, strict=True)
        return [[*table, *(next(left) for _ in range(size - len(table)))] for table, size in room]


class _Filling:
    """Units placed at tables one after the other; one that fits nowhere moves those before it."""

    def __init__(
        self,
        units: Units,
        order: Sequence[int],
        sizes: Sequence[int],
        short: Collection[int],
        last_rests: bool,
    ) -> None:
        self.units, self.sizes, self.short = units, sizes, {*short}
        self.rests = len(sizes) - 1 if last_rests else -1
        self.tables: list[list[int]] = [[] for _ in sizes]
        self.longest, self.trials = max(sizes, default=0), TRIALS
        starts, seats = [], 0
        for size in sizes:
            starts.append(seats)
            seats += size
        place = {one: at for at, one in enumerate(order)}
        self.natural = {one: max(n for n, seat in enumerate(starts) if seat <= place[one]) for one in order}

    def place(self, number: int) -> bool:
        """Place the units from one on; return whether that is possible."""
        if number == len(self.units.units):
            return True
        unit = self.units.units[number]
        for table in self._choices(unit):
            self.trials -= 1
            if self.trials < 0:
                return False
            self.tables[table].extend(unit)
            if self.place(number + 1):
                return True
            del self.tables[table][-len(unit) :]
        return False

    def _choices(self, unit: Sequence[int]) -> Iterator[int]:
        """Yield where a unit fits, the nearest to its place in the order first; of empty tables alike one."""
        fits = [number for number in range(len(self.sizes)) if self._fits(unit, number)]
        empty = set[tuple[int, bool]]()
        for number in sorted(fits, key=lambda each: (self._misfits(unit, each), each)):
            alike = self.sizes[number], number == self.rests
            if not self.tables[number]:
                if alike in empty:
                    continue
                empty.add(alike)
            yield number

    def _fits(self, unit: Sequence[int], number: int) -> bool:
        here = self.tables[number]
        if len(here) + len(unit) > self.sizes[number]:
            return False
        return number == self.rests or not any(self.units.apart[one].intersection(here) for one in unit)

    def _misfits(self, unit: Sequence[int], number: int) -> tuple[int, int]:
        is_short = self.sizes[number] < self.longest and number != self.rests
        wrong = sum((one in self.short) != is_short for one in unit) if self.short else 0
        return wrong, abs(self.natural[unit[0]] - number)


# ---- Wishes that can't be kept -------------------------------------------------------------------


def opposed(one: Wish, other: Wish) -> bool:
    """Return whether two wishes of the same entries make no sense together, even if possible only."""
    if (one.wish == "together") == (other.wish == "together"):
        return False
    together, apart = (one, other) if one.wish == "together" else (other, one)
    return together.always or apart.wish == "apart"


def contradiction(wishes: Sequence[Wish], state: Competition) -> Message | None:
    """Return two wishes of which one keeps apart always whom the other puts together; None for none."""
    together = [wish for wish in wishes if wish.wish == "together" and wish.always]
    joined = _joined(together)
    for wish in (wish for wish in wishes if wish.wish != "together" and wish.always):
        units = (unit for pair in pairs(wish) for unit in joined if pair <= unit)
        for unit in units:
            return contradict(next(each for each in together if unit.issuperset(each.entries)), wish, state)
    return None


def contradict(one: Wish, other: Wish, state: Competition) -> Message:
    """Return that two wishes contradict each other, in words."""
    return text(
        "These two contradict each other: %(one)s; %(other)s.",
        one=said(one, state),
        other=said(other, state),
    )


def refuse_contradiction(wishes: Sequence[Wish], state: Competition) -> None:
    """Raise `Illegal`, which names both, where two wishes contradict each other."""
    if told := contradiction(wishes, state):
        raise Illegal(told)


def _joined(together: Sequence[Wish]) -> list[set[str]]:
    """Return who sits together, wishes with an entry in common taken as one."""
    units: list[set[str]] = []
    for wish in together:
        unit = {*wish.entries}
        apart = [each for each in units if each.isdisjoint(unit)]
        units = [*apart, unit.union(*(each for each in units if not each.isdisjoint(unit)))]
    return units


def unseatable(
    wishes: Sequence[Wish], entries: Sequence[str], sizes: Sequence[int], number: int, last: int
) -> Sequence[Wish]:
    """Return wishes that tables of the sizes can't keep all together, none where they can.

    Without any one of them the others can be kept.
    """
    binding = [wish for wish in wishes if wish.always]
    rest = len(entries) - sum(sizes)

    def kept(some: Sequence[Wish]) -> bool:
        units = Units(rules_of(some, entries, number, last), entries)
        return units.seated(range(len(entries)), sizes, resting=rest) is not None

    if kept(binding):
        return ()
    for wish in list(binding):
        fewer = [each for each in binding if each is not wish]
        if not kept(fewer):
            binding = fewer
    return binding


def cannot_keep(wishes: Sequence[Wish], state: Competition, sizes: Sequence[int]) -> Message:
    """Return which wishes can't be kept together, or one with so many tables."""
    if len(wishes) > 1:
        return text(
            "No seating keeps these wishes: %(wishes)s. Let one of them count “if possible” only.",
            wishes=both([said(wish, state) for wish in wishes]),
        )
    return plural(
        "With %(count)d table no seating keeps this wish: %(wish)s. Let it count “if possible” only.",
        "With %(count)d tables no seating keeps this wish: %(wish)s. Let it count “if possible” only.",
        len(sizes),
        wish=said(wishes[0], state),
    )


def no_promise(wish: Wish, state: Competition, why: Message) -> Message:
    """Return that a draw can't keep a wish, with the reason."""
    return text(
        "%(why)s This wish can’t hold always: %(wish)s. Let it count “if possible” only.",
        why=why,
        wish=said(wish, state),
    )


# ---- Groups --------------------------------------------------------------------------------------


def grouped(groups: Sequence[Sequence[str]], wishes: Sequence[Wish]) -> list[list[str]]:
    """Return drawn groups with entries exchanged as long as more of those who never meet are in other groups.

    So are more of those who sit together in one. Entries dealt in the same turn are exchanged first.
    """
    changed = [list(group) for group in groups]
    known = {entry for group in groups for entry in group}
    wanted = [
        (pair, wish.wish == "together")
        for wish in wishes
        for pair in pairs(wish)
        if wish.wish in ("apart", "together") and pair <= known
    ]
    while exchange := _best_exchange(changed, wanted):
        _, _, (here, at), (there, to) = exchange
        changed[here][at], changed[there][to] = changed[there][to], changed[here][at]
    return changed


_Place: TypeAlias = tuple[int, int]


def _best_exchange(
    groups: Sequence[Sequence[str]], wanted: Sequence[tuple[Pair, bool]]
) -> tuple[int, bool, _Place, _Place] | None:
    group_of = {entry: number for number, group in enumerate(groups) for entry in group}
    places = {entry: (number, at) for number, group in enumerate(groups) for at, entry in enumerate(group)}

    def broken(where: Mapping[str, int]) -> list[Pair]:
        return [pair for pair, one in wanted if (len({where[entry] for entry in pair}) == 1) != one]

    before = broken(group_of)
    options = (
        (len(broken({**group_of, mover: group_of[other], other: group_of[mover]})), at != to, here, there)
        for mover in sorted({entry for pair in before for entry in pair}, key=places.__getitem__)
        for other in places
        if group_of[mover] != group_of[other]
        for here, there in [(places[mover], places[other])]
        for at, to in [(here[1], there[1])]
    )
    best = min(options, default=None)
    return best if best and best[0] < len(before) else None


# ---- Numbers of tables ---------------------------------------------------------------------------


class _AtTable(Protocol):
    @property
    def entries(self) -> tuple[str, ...]: ...


T = TypeVar("T", bound=_AtTable)


def numbered(tables: Sequence[T], fixed: Sequence[FixedTable]) -> tuple[T, ...]:
    """Return the tables in another order: each with an entry of a fixed table has its number.

    Of two such entries at one table the lower number counts, of two for one number the first. The other
    tables keep their order.
    """
    wanted: dict[int, int] = {}
    for each in fixed:
        for at, table in enumerate(tables):
            if each.entry in table.entries and each.table <= len(tables):
                wanted[at] = min(each.table, wanted.get(at, each.table))
    having: dict[int, int] = {}
    for at, number in wanted.items():
        having.setdefault(number, at)
    others = iter([at for at in range(len(tables)) if at not in having.values()])
    return tuple(tables[having[n] if n in having else next(others)] for n in range(1, len(tables) + 1))


def elsewhere(tables: Sequence[_AtTable], fixed: Sequence[FixedTable]) -> Iterator[tuple[FixedTable, int]]:
    """Yield the fixed tables of entries that sit at another one, with its number."""
    for each in fixed:
        for number, table in enumerate(tables, 1):
            if each.entry in table.entries and each.table != number:
                yield each, number


def at_matches(fixed: Sequence[FixedTable], boards: int, rooms: Rooms = NO_ROOMS) -> Sequence[FixedTable]:
    """Return fixed tables by the positions of matches, each of which has so many tables.

    Those with numbers that no table of the rooms has are at none, far beyond the last.
    """
    places = [(each, rooms.position(each.table) or v.MAX_ENTRIES) for each in fixed]
    return [replace(each, table=(place - 1) // boards + 1) for each, place in places]


def figures(rules: Rules, tables: Sequence[_AtTable]) -> JsonObject:
    """Return ``wishes`` for the report on a draw: how many pairs have what they wish, and how many not.

    Empty where no wish counts.
    """
    if not rules:
        return {}
    broken = len([*rules.broken([table.entries for table in tables])])
    return {"wishes": [len(rules.apart) + len(rules.together) - broken, broken]}


def figures_of_tables(tables: Sequence[_AtTable], fixed: Sequence[FixedTable]) -> JsonObject:
    """Return ``tables`` for the report on a draw: how many entries sit at their fixed table, how many not.

    Empty where nobody who plays has one.
    """
    seated = {entry for table in tables for entry in table.entries}
    here = [each for each in fixed if each.entry in seated]
    missed = len([*elsewhere(tables, here)])
    return {"tables": [len(here) - missed, missed]} if here else {}


def of_entries(wishes: Wishes, state: Competition) -> Wishes:
    """Return wishes of players as those of their entries; two of one entry have none for each other."""
    entry_of = {player: entry.id for entry in state.entries if entry.live for player in entry.players}
    between = (
        replace(each, entries=tuple(dict.fromkeys(entry_of[one] for one in each.entries if one in entry_of)))
        for each in wishes.between
    )
    tables = (
        FixedTable(entry_of[each.entry], each.table) for each in wishes.tables if each.entry in entry_of
    )
    return Wishes(tuple(each for each in between if len(each.entries) > 1), tuple(tables))


def among(wishes: Wishes, present: Collection[str], more: Wishes) -> Wishes:
    """Return the wishes of those who are present, and ``more`` about others, in one order.

    Of two of one kind about the same entries the first counts. So does the first where the same are present
    of other entries: cut-offs of before have one wish of each two entries.
    """
    between: dict[tuple[Pair, WishKind], Wish] = {}
    first: dict[Pair, tuple[Pair, bool]] = {}
    for wish, own in (*((each, True) for each in wishes.between), *((each, False) for each in more.between)):
        here = tuple(entry for entry in wish.entries if entry in present)
        about, whole = frozenset(here), (frozenset(wish.entries), own)
        if len(here) > 1 and first.setdefault(about, whole) == whole:
            between.setdefault((about, wish.wish), replace(wish, entries=here))
    tables: dict[str, FixedTable] = {}
    for each in (*wishes.tables, *more.tables):
        if each.entry in present:
            tables.setdefault(each.entry, each)
    return Wishes(tuple(between.values()), tuple(tables.values()))
