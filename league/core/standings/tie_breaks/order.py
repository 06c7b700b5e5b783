"""The criteria before and after all tie-breaks: the rank by the format, the points, the lot."""

from fractions import Fraction

from league.core.scoring import NOWHERE, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class Placement(OwnMark):
    """The rank by the format, such as how far an entry came in a knockout; it comes before points."""

    key = "placement"
    title = "how far they came"
    summary = "the rank by the format, 1 the best"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        reached = accounts.reached.get(record.entry, NOWHERE)
        return Mark((Fraction(-reached.rank),), str(reached.rank))


class Points(OwnMark):
    """The stage's points."""

    key = "points"
    title = "points"
    summary = "the stage's points"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        return Mark((accounts.points_key(record.points),), str(record.points))


class Lot(OwnMark):
    """The last criterion, which always decides."""

    key = "lot"
    title = "the lot"
    summary = "a lot drawn from the seed; always the last"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        lot = accounts.lots[record.entry]
        return Mark((Fraction(-lot),), str(lot))
