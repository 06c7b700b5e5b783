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
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from games.engine.jsontypes import Json, JsonObject
from league.core.drawing.draw import DrawnTable
from league.core.drawing.least_cost import Costs
from league.core.state.competition import Competition, Stage, Table

# ---- History -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """Who met whom, who sat where, who had byes or short tables in a stage's published rounds.

    Nobody has met at a table that was void or walked over.

    ``opponents``: how often an entry met each other one; ``seats``: how often it had each seat, from 0;
    ``byes`` and ``short_tables``: its rounds without a table, and at a table shorter than the longest of its
    group in the round;
    ``fair_share``: how often it should have had the first seat.
    """

    opponents: Mapping[str, Counter[str]]
    seats: Counter[tuple[str, int]]
    byes: Counter[str]
    short_tables: Counter[str]
    fair_share: Mapping[str, Fraction]

    def first_seats(self, entry: str) -> int:
        """Return how often an entry had the first seat."""
        return self.seats[entry, 0]

    def excess_first_seats(self, entry: str) -> int:
        """Return how far an entry's first seats exceed its fair share, in halves; negative below it."""
        return round(2 * (self.first_seats(entry) - self.fair_share[entry]))


def history_of(stage: Stage) -> History:
    """Return the history of a stage."""
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
    byes = Counter(entry for each in stage.shown_rounds for entry in each.byes)
    return History(opponents, seats, byes, short_tables, shares)


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

NOT_ALLOTTED: Final = 10**15
REPEAT: Final = 10**9
SHORT: Final = 10**7
MATES: Final = 10**6
FIRST_SEAT: Final = 40


def costs(
    state: Competition,
    history: History,
    entries: Sequence[str],
    levels: Mapping[str, int] | None = None,
    at_short_tables: Collection[str] | None = None,
) -> Costs:
    """Return what each two of the entries, by their index in the list, cost at one table.

    ``levels`` are standings as whole numbers; without them scores do not matter. ``at_short_tables`` are the
    entries to which the short tables are allotted, None without an allotment.
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
    return Costs(rows, [_short_cost(history, entry, at_short_tables) for entry in entries], REPEAT)


def _short_cost(history: History, entry: str, at_short_tables: Collection[str] | None) -> int:
    if at_short_tables is None:
        return 2 * SHORT * history.short_tables[entry]
    return 0 if entry in at_short_tables else NOT_ALLOTTED


def report(
    history: History,
    tables: Sequence[DrawnTable],
    byes: Sequence[str],
    levels: Mapping[str, int] | None = None,
) -> JsonObject:
    """Return the quality of a draw in numbers.

    ``repeats``: pairs that meet again; ``most_meetings``: the most that any two will have met; ``sizes``: the
    number of tables of each size; ``byes``: entries without a table; ``first_seats``: the most and the fewest
    times that any entry will have had the first seat. With levels also ``spread``: the greatest difference
    at a table, in hundredths of that between the first and the last of the stage.
    """
    pairs = [pair for table in tables for pair in combinations(table.entries, 2)]
    meetings = [history.opponents[one][other] + 1 for one, other in pairs]
    sizes = Counter(len(table.entries) for table in tables)
    figures: dict[str, Json] = {
        "repeats": sum(count > 1 for count in meetings),
        "most_meetings": max(meetings, default=0),
        "sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "byes": len(byes),
        "first_seats": _first_seats(history, tables),
    }
    if levels:
        figures["spread"] = _spread(tables, levels)
    return figures


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


def _width(levels: Collection[int]) -> int:
    return max(levels) - min(levels)
