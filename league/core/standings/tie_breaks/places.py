"""Places taken at tables."""

from league.core.scoring import ZERO, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class Wins(OwnMark):
    """How often an entry came first at its tables."""

    key = "wins"
    title = "wins"
    summary = "first places, shared ones in part; walkovers do not count"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        wins = sum((line.wins for line in record.lines), ZERO)
        return Mark((wins,), str(wins))


class Places(OwnMark):
    """How often an entry took each place at its tables."""

    key = "places"
    title = "first, then second places, and so on"
    summary = "first places, then second, and so on, shared ones in part"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        counts = [ZERO] * 10
        for line in record.lines:
            for index, part in enumerate(line.places):
                counts[index] += part
        last = max((index for index, count in enumerate(counts) if count), default=0)
        return Mark(tuple(counts), ", ".join(map(str, counts[: last + 1])))
