"""The latest results first."""

from league.core.records import ZERO, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class MostRecent(OwnMark):
    """Puts entries with better results in the last rounds ahead."""

    key = "most_recent"
    title = "most recent rounds"
    summary = "the points of the last round, then of the one before, and so on"
    lasts = True

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        rounds = max((line.round for each in accounts.records.values() for line in each.lines), default=0)
        earned = [ZERO] * rounds
        for line in record.lines:
            earned[rounds - line.round] += line.points
        return Mark(tuple(map(accounts.points_key, earned)), ", ".join(map(str, earned)))
