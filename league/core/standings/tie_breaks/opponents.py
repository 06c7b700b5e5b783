"""The strength of opponents, as sums of points (FIDE Handbook C.07).

Every opponent at a table counts. A round without opponents counts as a usual table whose other entries have
as many points as the entry itself.
"""

from fractions import Fraction
from typing import ClassVar

from league.core.scoring import ZERO, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


class OpponentsPoints(OwnMark):
    """Buchholz."""

    key = "opponents_points"
    title = "opponents' points"
    summary = (
        "the points of all opponents (Buchholz); a round without opponents counts as a usual table of "
        "opponents with the entry's own points"
    )
    cut_low: ClassVar[int] = 0
    cut_high: ClassVar[int] = 0

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        points = _opponents_points(accounts, record)
        points.sort(key=accounts.points_key)
        kept = points[self.cut_low : max(self.cut_low, len(points) - self.cut_high)]
        total = sum(kept, ZERO)
        return Mark((accounts.points_key(total),), str(total))


class OpponentsPointsCut(OpponentsPoints):
    """Buchholz, cut 1."""

    key = "opponents_points_cut"
    title = "opponents' points without the lowest"
    summary = "the same without the lowest"
    cut_low = 1


class OpponentsPointsMedian(OpponentsPoints):
    """Buchholz, median 1."""

    key = "opponents_points_median"
    title = "opponents' points without the highest and the lowest"
    summary = "the same without the lowest and the highest"
    cut_low = 1
    cut_high = 1


def _opponents_points(accounts: Accounts, record: Record) -> list[Fraction]:
    points: list[Fraction] = []
    for line in record.lines:
        if line.meetings:
            points.extend(accounts.records[meeting.opponent].points for meeting in line.meetings)
        else:
            points.extend([record.points] * (accounts.rate.size - 1))
    return points


class BeatenPoints(OwnMark):
    """Sonneborn-Berger."""

    key = "beaten_points"
    title = "points of opponents beaten"
    summary = "the points of all opponents beaten, and half the points of level ones (Sonneborn-Berger)"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        meetings = [meeting for line in record.lines for meeting in line.meetings]
        total = sum((each.share * accounts.records[each.opponent].points for each in meetings), ZERO)
        return Mark((total,), str(total))
