"""The criteria before and after all tie-breaks: expulsion, the rank by the format, the points, the lot."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from league.core.records import NOWHERE, Record
from league.core.standings.tie_breaks.base import Accounts, Criterion, Mark, OwnMark


class Expelled(Criterion):
    """Who was put out is last, whatever was played."""

    key = "expelled"
    title = "expelled"
    summary = "whether an organiser expelled the entry"

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        out = {entry: entry in accounts.last for entry in group}
        return (
            {entry: Mark((Fraction(-is_out),), "") for entry, is_out in out.items()}
            if any(out.values())
            else None
        )


class Placement(OwnMark):
    """The rank by the format, such as how far an entry came in a knockout; it comes before points."""

    key = "placement"
    title = "how far they got"
    summary = "how far the entry got, 1 is the furthest"

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        return super().marks(accounts, group) if accounts.reached else None

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        reached = accounts.reached.get(record.entry, NOWHERE)
        return Mark((Fraction(-reached.rank),), str(reached.rank))


class Points(Criterion):
    """The stage's points."""

    key = "points"
    title = "points"
    summary = "the stage's points"
    lasts = True

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark]:
        # Many entries have the same points, and fractions are compared and printed slowly.
        made: dict[tuple[int, int], Mark] = {}
        marks: dict[str, Mark] = {}
        for entry in group:
            points = accounts.records[entry].points
            known = points.numerator, points.denominator
            if known not in made:
                made[known] = Mark((accounts.points_key(points),), str(points))
            marks[entry] = made[known]
        return marks


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
