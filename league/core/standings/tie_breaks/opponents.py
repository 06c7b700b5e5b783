"""The strength of opponents by their points.

At tables of more than two it is an average per opponent met, so that the number of opponents does not matter.
In duels it is the sum of FIDE (Handbook C.07, 8 and 9), and rounds without a game count by its article 16.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar

from league.core.agreed import AWAY
from league.core.records import ZERO, Line, Record
from league.core.standings.tie_breaks.base import Accounts, Mark, OwnMark


@dataclass(frozen=True)
class Opponent:
    """An opponent, or what counts as one: points, and the entry's result against it (1, 1/2 or 0).

    ``missed`` is whether the entry itself missed the game: such a value is cut first (C.07, 16.5).
    """

    points: Fraction
    share: Fraction
    missed: bool = False


class OpponentsPoints(OwnMark):
    """Buchholz."""

    key = "opponents_points"
    title = "opponents' points"
    summary = (
        "how many points those have whom the entry met, on average: who met stronger ones is ahead. For the "
        "round in which they met, an opponent counts with the average of that table. At tables of two the "
        "points of all opponents are added up (Buchholz); a round without a game counts as an opponent with "
        "the entry's own points, but at most those of a draw in every round"
    )
    cut_low: ClassVar[int] = 0
    cut_high: ClassVar[int] = 0

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        if accounts.duels:
            return self._sum(accounts, record)
        usual = accounts.rounds * accounts.boards * (accounts.rate.size - 1)
        points = [_besides(accounts, line, each.opponent) for line in record.lines for each in line.meetings]
        if not points or not usual:
            return _mark(accounts, record.points)
        points.sort(key=accounts.points_key)
        # As large a part of all opponents whatever their number.
        part = Fraction(len(points), usual)
        return _mark(accounts, _average_without(points, self.cut_low * part, self.cut_high * part))

    def _sum(self, accounts: Accounts, record: Record) -> Mark:
        opponents = sorted(
            _opponents(accounts, record),
            key=lambda each: (not each.missed, accounts.points_key(each.points)),
        )
        kept = [each.points for each in opponents[self.cut_low :]]
        kept.sort(key=accounts.points_key)
        return _mark(accounts, sum(kept[: max(0, len(kept) - self.cut_high)], ZERO))


class OpponentsPointsCut(OpponentsPoints):
    """Buchholz, cut 1."""

    key = "opponents_points_cut"
    title = "opponents' points without the lowest"
    summary = "opponents' points without the weakest opponent, or with a part of it where there were fewer"
    cut_low = 1


class OpponentsPointsMedian(OpponentsPoints):
    """Buchholz, median 1."""

    key = "opponents_points_median"
    title = "opponents' points without both ends"
    summary = "opponents' points without the weakest and the strongest opponent"
    cut_low = 1
    cut_high = 1


class BeatenPoints(OwnMark):
    """Sonneborn-Berger."""

    key = "beaten_points"
    title = "points of opponents beaten"
    summary = (
        "the points of opponents that the entry finished ahead of, and half the points of those it was "
        "level with: who beat stronger ones is ahead. At tables of more than two each round counts with "
        "the average of the opponents at the table; at tables of two it is Sonneborn-Berger"
    )

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        return not accounts.duels

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        if accounts.duels:
            return _mark(
                accounts, sum((each.share * each.points for each in _opponents(accounts, record)), ZERO)
            )
        return _mark(accounts, accounts.over_all_rounds(record, self.key, partial(_beaten, accounts)))


def _beaten(accounts: Accounts, line: Line) -> Fraction:
    values = [each.share * _besides(accounts, line, each.opponent) for each in line.meetings]
    return sum(values, ZERO) / max(1, len(values))


def _besides(accounts: Accounts, line: Line, opponent: str) -> Fraction:
    """Return an opponent's points, with the table's average in place of what it earned at the common table.

    What a win takes from each opponent depends on how many there are; the average does not.
    """
    entries = {line.entry, *(each.opponent for each in line.meetings)}
    lines = [each for each in accounts.at_tables.get(line.table, ()) if each.entry in entries]
    counted = [each.points for each in lines if each.entry == opponent and each.counts]
    average = sum((each.points for each in lines), ZERO) / len(entries)
    return accounts.records[opponent].points + (average - sum(counted, ZERO) if counted else ZERO)


def _mark(accounts: Accounts, value: Fraction) -> Mark:
    return Mark((accounts.points_key(value),), str(value))


def _average_without(points: Sequence[Fraction], low: Fraction, high: Fraction) -> Fraction:
    """Return the average of sorted points without so many at each end, parts of one included."""
    kept = len(points) - low - high
    if kept <= 0:
        return sum(points, ZERO) / len(points)
    end = len(points) - high
    weights = [max(ZERO, min(Fraction(at + 1), end) - max(Fraction(at), low)) for at in range(len(points))]
    return sum((weight * each for weight, each in zip(weights, points, strict=True)), ZERO) / kept


def _opponents(accounts: Accounts, record: Record) -> Iterator[Opponent]:
    for line in record.lines:
        for meeting in line.meetings:
            points = _adjusted(accounts, meeting.opponent)
            yield Opponent(points, meeting.share)
        if not line.meetings:
            yield from _stand_ins(accounts, record, line)
    for line in record.voided:
        yield from _stand_ins(accounts, record, line)


# ---- Rounds of duels without a game (C.07, article 16) -------------------------------------------


def _adjusted(accounts: Accounts, entry: str) -> Fraction:
    """Return an opponent's points, with a draw for each round at the end that it missed (16.3)."""
    record = accounts.records[entry]
    if accounts.draw is None:
        return record.points
    lost = sum((line.points for line in record.lines if line.counts and line.round in record.missed), ZERO)
    return record.points - lost + accounts.draw * accounts.boards * len(record.missed)


def _stand_ins(accounts: Accounts, record: Record, line: Line) -> Iterator[Opponent]:
    """Yield what counts as the opponent of a round without a game (16.4): never more than the own points.

    That is the opponent who was drawn, or without one an entry that drew every round.
    """
    limits = [_adjusted(accounts, other) for other in line.against]
    if not limits and accounts.draw is not None:
        limits = [accounts.draw * accounts.boards * accounts.rounds]
    times = 1 if line.table else accounts.boards
    points = min([record.points, *limits], key=accounts.points_key)
    share = line.points / times / accounts.win if accounts.win else ZERO
    missed = line.kind in AWAY
    yield from [Opponent(points, share, missed)] * times
