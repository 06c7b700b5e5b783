"""The criteria before and after all tie-breaks: the rank by the format, the points, the lot."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from league.core.scoring import NOWHERE, Record
from league.core.standings.tie_breaks.base import Accounts, Criterion, Mark, OwnMark


class Placement(OwnMark):
    """The rank by the format, such as how far an entry came in a knockout; it comes before points."""

    key = "placement"
    title = "how far they got"
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


class Lot(Criterion):
    """The last criterion, which always decides once lots are drawn."""

    key = "lot"
    title = "the lot"
    summary = "a lot, drawn when the stage closes; always the last. Until then level entries share a rank"

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        lots = accounts.lots
        if not {*group} <= {*lots}:
            return None
        return {entry: Mark((Fraction(-lots[entry]),), str(lots[entry])) for entry in group}
