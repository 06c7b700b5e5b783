"""An example of a tie-break: who had the best single round."""

from fractions import Fraction

from league.core.records import ZERO, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class BestRound(OwnMark):
    """Puts those ahead who earned most in one round."""

    key = "best_round"
    title = "the best round"
    summary = "the points of the entry's best round"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        earned: dict[int, Fraction] = {}
        for line in record.lines:
            earned[line.round] = earned.get(line.round, ZERO) + line.points
        best = max(earned.values(), key=accounts.points_key, default=ZERO)
        return Mark((accounts.points_key(best),), str(best))
