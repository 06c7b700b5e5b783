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
    ``byes`` and ``short_tables``: its rounds without a table, and at a table below the usual size;
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
    for table in _played_tables(stage):
        entries = table.entries
        if len(entries) < stage.plan.table_size:
            short_tables.update(entries)
        for seat, entry in enumerate(entries):
            seats[entry, seat] += 1
            shares[entry] += Fraction(1, len(entries))
            opponents[entry].update(other for other in entries if other != entry)
    byes = Counter(entry for each in stage.shown_rounds for entry in each.byes)
    return History(opponents, seats, byes, short_tables, shares)


def _played_tables(stage: Stage) -> Iterator[Table]:
    for each in stage.shown_rounds:
        yield from (table for table in each.tables if table.status not in ("void", "walkover"))
