"""What draws remember of a stage: who met whom, who sat where, who had no table or a short one.

Only published rounds count. Tables that were void or walked over did not bring anybody together.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from league.competition.state import Stage, Table


@dataclass(frozen=True)
class History:
    """Counts over a stage's rounds so far; pairs are in the order of their ids."""

    met: Counter[tuple[str, str]]
    sat: Counter[tuple[str, int]]
    byes: Counter[str]
    short: Counter[str]

    def meetings(self, one: str, other: str) -> int:
        """Return how often two entries have sat at one table."""
        return self.met[min(one, other), max(one, other)]


def history(stage: Stage) -> History:
    """Return what the draws of a stage remember."""
    met: Counter[tuple[str, str]] = Counter()
    sat: Counter[tuple[str, int]] = Counter()
    short: Counter[str] = Counter()
    for table in played_tables(stage):
        met.update(combinations(sorted(table.entries), 2))
        sat.update((entry, place) for place, entry in enumerate(table.entries))
        if len(table.entries) < stage.plan.table_size:
            short.update(table.entries)
    byes = Counter(entry for each in stage.shown_rounds for entry in each.byes)
    return History(met, sat, byes, short)


def played_tables(stage: Stage) -> Iterator[Table]:
    """Yield the tables that brought their entries together, in order of play."""
    for each in stage.shown_rounds:
        for table in each.tables:
            if table.status not in ("void", "walkover"):
                yield table
