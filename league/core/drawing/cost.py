"""The cost that a draw keeps low, and the report on a draw's quality.

Two entries at one table cost:

- twice `REPEAT` for each time they have met: this keeps the sum of squared meetings low;
- `MATES` if they have one affiliation;
- where a format pairs equals, the square of the difference of their levels;
- `FIRST_SEAT` times the product of how far both exceed (or both fall short of) their share of first seats,
  because one of them will be first again (or not).

An entry at a table shorter than the longest costs `NOT_ALLOTTED` where others were allotted the short
tables; without an allotment it costs twice `SHORT` for each short table it had before. Allotment, repeats,
short tables and mates are so far apart that no exchange of two entries accepts a greater fault to avoid
lesser ones.

Wishes (`wishes`), of which most draws have none: two who are kept apart cost `APART`, or where that is only
if possible `MATES` once to 101 times, more the better they stand. Who sits together costs `TOGETHER` for each
other one at the table; mates cost nothing by meeting again.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias, TypeVar

from games.engine.jsontypes import Json, JsonObject
from league.core import scoring
from league.core.drawing.draw import DrawnTable
from league.core.drawing.least_cost import TOGETHER, Costs
from league.core.drawing.wishes import Rules, Units, figures
from league.core.state.competition import Competition, Round, Stage, Table

# ---- History -------------------------------------------------------------------------------------

T = TypeVar("T")
SidesAt: TypeAlias = Callable[[int], Sequence[int]]
"""The side of each seat at a table of so many seats, empty where nobody has a partner."""


FIRST: Final = 3
"""How much more the first seat weighs than any other."""


def no_sides(_seats: int) -> Sequence[int]:
    """Nobody has a partner that changes."""
    return ()


@dataclass(frozen=True)
class History:
    """Who met whom, who sat where, who had byes or short tables in a stage's published rounds.

    Nobody has met at a table that was void or walked over.

    ``opponents``: how often an entry met each other one; ``seats``: how often it had each seat, from 0;
    ``byes`` and ``short_tables``: its rounds without a table, and at a table shorter than the longest of its
    group in the round;
    ``fair_share``: how often it should have had the first seat; ``partners``: how often it had each other one
    as a partner, where partners change.
    """

    opponents: Mapping[str, Counter[str]]
    seats: Counter[tuple[str, int]]
    byes: Counter[str]
    short_tables: Counter[str]
    fair_share: Mapping[str, Fraction]
    partners: Mapping[str, Counter[str]] = field(default_factory=dict)

    def first_seats(self, entry: str) -> int:
        """Return how often an entry had the first seat."""
        return self.seats[entry, 0]

    def seat_cost(self, entry: str, seat: int) -> int:
        """Return how often an entry had a seat; the first counts `FIRST` times."""
        return self.seats[entry, seat] * (1 if seat else FIRST)

    def excess_first_seats(self, entry: str) -> int:
        """Return how far an entry's first seats exceed its fair share, in halves; negative below it."""
        return round(2 * (self.first_seats(entry) - self.fair_share[entry]))


def history_of(stage: Stage, sides_at: SidesAt = no_sides) -> History:
    """Return the history of a stage; ``sides_at`` says who are partners at a table of so many seats."""
    partners: dict[str, Counter[str]] = {entry: Counter() for entry in stage.entries}
    opponents: dict[str, Counter[str]] = {entry: Counter() for entry in stage.entries}
    seats: Counter[tuple[str, int]] = Counter()
    short_tables: Counter[str] = Counter()
    shares: dict[str, Fraction] = dict.fromkeys(stage.entries, Fraction(0))
    for table, longest in _played_tables(stage):
        entries = table.entries
        if len(entries) < longest:
            short_tables.update(entries)
        for seat, entry in enumerate(entries):
            seats[entry, seat] += 1
            shares[entry] += Fraction(1, len(entries))
            opponents[entry].update(other for other in entries if other != entry)
        for one, other in partnerships(entries, sides_at(len(entries))):
            partners[one][other] += 1
            partners[other][one] += 1
    byes = Counter(entry for each in stage.shown_rounds for entry in each.byes)
    return History(opponents, seats, byes, short_tables, shares, partners)


def partnerships(entries: Sequence[T], sides: Sequence[int]) -> Iterator[tuple[T, T]]:
    """Yield every two at a table who are on one side, by the side of each seat."""
    return ((entries[one], entries[other]) for one, other in mates(sides))


def partners_again(history: History, sides_at: SidesAt, tables: Iterable[Sequence[str]]) -> int:
    """Return how often those who are partners at tables, in seat order, were it before, all added."""
    pairs = (pair for table in tables for pair in partnerships(table, sides_at(len(table))))
    return sum(history.partners[one][other] for one, other in pairs)


@cache
def mates(sides: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the seats of every two who are on one side."""
    return tuple(
        (one, other) for one, other in combinations(range(len(sides)), 2) if sides[one] == sides[other]
    )


def _played_tables(stage: Stage) -> Iterator[tuple[Table, int]]:
    """Yield each table that was played, with the length of the longest table of its group and round."""
    for each in stage.shown_rounds:
        longest: dict[int, int] = {}
        for table in each.tables:
            longest[table.group] = max(longest.get(table.group, 0), len(table.entries))
        for table in each.tables:
            if table.status not in ("void", "walkover"):
                yield table, longest[table.group]


# ---- Cost ----------------------------------------------------------------------------------------

APART: Final = 10**17
PARTNERS: Final = 2 * 10**14
NOT_ALLOTTED: Final = 10**15
REPEAT: Final = 10**9
SHORT: Final = 10**7
MATES: Final = 10**6
FIRST_SEAT: Final = 40
NO_RULES: Final = Rules({}, frozenset())
SCALE: Final = 200
"""The level of the first entry; the last has 0."""


def points_as_levels(state: Competition, stage: Stage) -> Mapping[str, int]:
    """Return each entry's points on a scale from 0 (last) to `SCALE` (first)."""
    sign = -1 if scoring.rate_of(state, stage).low_points_win else 1
    points = {entry: sign * record.points for entry, record in scoring.records(state, stage).items()}
    low, high = min(points.values(), default=Fraction(0)), max(points.values(), default=Fraction(0))
    if low == high:
        return dict.fromkeys(points, 0)
    return {entry: int((value - low) * SCALE / (high - low)) for entry, value in points.items()}


def costs(
    state: Competition,
    history: History,
    entries: Sequence[str],
    levels: Mapping[str, int] | None = None,
    at_short_tables: Collection[str] | None = None,
    rules: Rules = NO_RULES,
    sizes: Sequence[int] = (),
) -> Costs:
    """Return what each two of the entries, by their index in the list, cost at one table.

    ``levels`` are standings as whole numbers; without them scores do not matter. ``at_short_tables`` are the
    entries to which the short tables are allotted, None without an allotment. ``rules`` are the wishes that
    count, at tables of the ``sizes``.
    """
    affiliations = {entry.id: entry.affiliation for entry in state.entries}
    excess = {entry: history.excess_first_seats(entry) for entry in entries}
    rows = [[0] * len(entries) for _ in entries]
    for (row, one), (column, other) in combinations(enumerate(entries), 2):
        cost = 2 * REPEAT * history.opponents[one][other]
        if levels:
            cost += (levels[one] - levels[other]) ** 2
        if affiliations[one] and affiliations[one] == affiliations[other]:
            cost += MATES
        if excess[one] * excess[other] > 0:
            cost += FIRST_SEAT * excess[one] * excess[other]
        rows[row][column] = rows[column][row] = cost
    short = [_short_cost(history, entry, at_short_tables) for entry in entries]
    if not rules:
        return Costs(rows, short, REPEAT)
    standing = points_as_levels(state, state.stages[-1])
    return _with_wishes(Costs(rows, short, REPEAT), entries, rules, standing, sizes, at_short_tables or ())


def distances(state: Competition, ranked: Sequence[str], rules: Rules, sizes: Sequence[int]) -> Costs:
    """Return what each two of the ranked entries cost at one table: wishes, and how far apart they are."""
    rows = [[(one - other) ** 2 for other in range(len(ranked))] for one in range(len(ranked))]
    standing = points_as_levels(state, state.stages[-1])
    return _with_wishes(Costs(rows, [0] * len(ranked)), ranked, rules, standing, sizes, ())


def _with_wishes(
    costs: Costs,
    entries: Sequence[str],
    rules: Rules,
    levels: Mapping[str, int],
    sizes: Sequence[int],
    at_short_tables: Collection[str],
) -> Costs:
    rows = [[*row] for row in costs.meeting]
    _add_wishes(rows, entries, rules, levels)
    # Fewer others at a short table are no gain for who sits together.
    fewer = TOGETHER * (max(sizes) - min(sizes)) if sizes else 0
    short = [cost + fewer * (entry in rules.mates) for cost, entry in zip(costs.short, entries, strict=True)]
    units = Units(rules, entries)
    chosen = [at for at, entry in enumerate(entries) if entry in at_short_tables]
    return Costs(rows, short, costs.avoid, lambda order, sizes: units.seated(order, sizes, chosen))


def _add_wishes(
    rows: list[list[int]], entries: Sequence[str], rules: Rules, levels: Mapping[str, int]
) -> None:
    for (row, one), (column, other) in combinations(enumerate(entries), 2):
        pair = frozenset((one, other))
        if pair in rules.together:
            cost = 0
        else:
            cost = rows[row][column] + TOGETHER * ((one in rules.mates) + (other in rules.mates))
        if pair in rules.apart:
            low, high = sorted((levels.get(one, 0), levels.get(other, 0)))
            cost += APART if rules.apart[pair] else MATES * (1 + 100 * (2 * high + low) // (3 * SCALE))
        rows[row][column] = rows[column][row] = cost


def _short_cost(history: History, entry: str, at_short_tables: Collection[str] | None) -> int:
    if at_short_tables is None:
        return 2 * SHORT * history.short_tables[entry]
    return 0 if entry in at_short_tables else NOT_ALLOTTED


def report(
    history: History,
    tables: Sequence[DrawnTable],
    byes: Sequence[str],
    levels: Mapping[str, int] | None = None,
    rules: Rules = NO_RULES,
    sides_at: SidesAt = no_sides,
) -> JsonObject:
    """Return the quality of a draw in numbers.

    ``repeats``: pairs that meet again; ``most_meetings``: the most that any two will have met; ``sizes``: the
    number of tables of each size; ``byes``: entries without a table; ``first_seats``: the most and the fewest
    times that any entry will have had the first seat. With levels also ``spread``: the greatest difference
    at a table, in hundredths of that between the first and the last of the stage. With ``rules``
    also how many of these wishes are kept. Where partners change, ``partners`` are how many pairs of partners
    were it before, and the most that any will have been.
    """
    pairs = [pair for table in tables for pair in combinations(table.entries, 2)]
    meetings = [history.opponents[one][other] + 1 for one, other in pairs]
    sizes = Counter(len(table.entries) for table in tables)
    told: dict[str, Json] = {
        "repeats": sum(count > 1 for count in meetings),
        "most_meetings": max(meetings, default=0),
        "sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "byes": len(byes),
        "first_seats": _first_seats(history, tables),
    }
    if levels:
        told["spread"] = _spread(tables, levels)
    return {**told, **figures(rules, tables), **_partners(history, tables, sides_at)}


def _partners(history: History, tables: Sequence[DrawnTable], sides_at: SidesAt) -> JsonObject:
    seated = (table.entries for table in tables)
    pairs = [pair for table in seated for pair in partnerships(table, sides_at(len(table)))]
    times = [history.partners[one][other] + 1 for one, other in pairs]
    return {"partners": [sum(each > 1 for each in times), max(times)]} if times else {}


def _first_seats(history: History, tables: Sequence[DrawnTable]) -> list[int]:
    counts = [
        history.first_seats(entry) + (seat == 0)
        for table in tables
        for seat, entry in enumerate(table.entries)
    ]
    return [max(counts, default=0), min(counts, default=0)]


def _spread(tables: Sequence[DrawnTable], levels: Mapping[str, int]) -> int:
    widest = max((_width([levels[entry] for entry in table.entries]) for table in tables), default=0)
    whole = _width(levels.values())
    return 100 * widest // whole if whole else 0


def points_apart(state: Competition, stage: Stage, drawn: Round) -> Fraction:
    """Return the greatest difference in points between two at a table of a round, before it was played."""
    records = scoring.records(state, stage, drawn.number - 1)
    tables = ([records[entry].points for entry in table.entries] for table in drawn.tables)
    return max((max(points) - min(points) for points in tables if points), default=Fraction(0))


def _width(levels: Collection[int]) -> int:
    return max(levels) - min(levels)
