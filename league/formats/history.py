"""What draws remember of a stage: who met whom, who sat where, who had no table or a short one.

Only published rounds count. Tables that were void or walked over did not bring anybody together.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from league.competition.state import Stage, Table


@dataclass(frozen=True)
class History:
    """Counts over a stage's rounds so far.

    ``opponents``: how often an entry met each other one; ``sat``: how often it had each place at the table;
    ``byes`` and ``short``: rounds without a table and at tables below the usual size; ``begun``: first places
    at the table; ``fair_share``: how many of those it should have had.
    """

    opponents: Mapping[str, Counter[str]]
    sat: Counter[tuple[str, int]]
    byes: Counter[str]
    short: Counter[str]
    begun: Counter[str]
    fair_share: Mapping[str, Fraction]

    def begun_too_often(self, entry: str) -> int:
        """Return by how many halves of a game an entry has begun above its share; below it, negative."""
        return round(2 * (self.begun[entry] - self.fair_share[entry]))


def history(stage: Stage) -> History:
    """Return what the draws of a stage remember."""
    opponents: dict[str, Counter[str]] = {entry: Counter() for entry in stage.entries}
    sat: Counter[tuple[str, int]] = Counter()
    short: Counter[str] = Counter()
    begun: Counter[str] = Counter()
    shares: dict[str, Fraction] = dict.fromkeys(stage.entries, Fraction(0))
    for table in played_tables(stage):
        entries = table.entries
        begun[entries[0]] += 1
        if len(entries) < stage.plan.table_size:
            short.update(entries)
        for place, entry in enumerate(entries):
            sat[entry, place] += 1
            shares[entry] += Fraction(1, len(entries))
            opponents[entry].update(other for other in entries if other != entry)
    byes = Counter(entry for each in stage.shown_rounds for entry in each.byes)
    return History(opponents, sat, byes, short, begun, shares)


def played_tables(stage: Stage) -> Iterator[Table]:
    """Yield the tables that brought their entries together, in order of play."""
    for each in stage.shown_rounds:
        for table in each.tables:
            if table.status not in ("void", "walkover"):
                yield table
