"""The history that a stage's draws depend on: who met whom, who sat where, who had byes or short tables.

Only published rounds count. Nobody has met at a table that was void or walked over.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from league.core.state.competition import Stage, Table


@dataclass(frozen=True)
class History:
    """Counts over a stage's rounds so far.

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
