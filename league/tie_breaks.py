"""The registry of tie-breaks: what decides between entries level on points. Each is a class and a line below.

Opponents' points follow the sums that chess calls Buchholz (full, cut 1, median 1) and Sonneborn-Berger; FIDE
Handbook C.07 names them. Tables of more than two count every opponent there. A round without an opponent
counts as one against opponents on the entry's own points, as many as sit at a usual table beside it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, TypeAlias

from league.scoring import NOWHERE, ZERO, Rate, Reached, Record

Key: TypeAlias = tuple[Fraction, ...]
"""What entries are compared by, part after part; more is better."""


@dataclass(frozen=True)
class Accounts:
    """All that standings are made from: records, how the stage pays, places the format gives, and lots."""

    records: Mapping[str, Record]
    pay: Rate
    reached: Mapping[str, Reached]
    lots: Mapping[str, int]

    def points_key(self, points: Fraction) -> Fraction:
        """Return points so that more is better."""
        return -points if self.pay.low_points_win else points


@dataclass(frozen=True)
class Mark:
    """An entry's value: what it is compared by, and how it is written."""

    key: Key
    text: str


class Criterion(ABC):
    """Something by which entries are put in order."""

    key: ClassVar[str]
    title: ClassVar[str]
    """The rest of a sentence such as "ahead on …"."""
    restarts: ClassVar[bool] = False
    """Whether it is asked again among those whom it left level."""

    @abstractmethod
    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        """Return the mark of each entry of a level group, or None where it cannot be asked of this group."""


class OwnMark(Criterion):
    """A criterion whose mark is the same whoever an entry is level with."""

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        return {entry: self.mark(accounts, accounts.records[entry]) for entry in group}

    @abstractmethod
    def mark(self, accounts: Accounts, record: Record) -> Mark:
        """Return an entry's mark."""


class HeadToHead(Criterion):
    """The part of their meetings that an entry won against those it is level with, added over these.

    Asked only where all of them have met each other.
    """

    key = "head_to_head"
    title = "results against each other"
    restarts = True

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        shares = {entry: _shares(accounts.records[entry], {*group} - {entry}) for entry in group}
        if len(group) < 2 or any(len(met) < len(group) - 1 for met in shares.values()):
            return None
        sums = {entry: sum((_mean(each) for each in met.values()), ZERO) for entry, met in shares.items()}
        return {entry: Mark((value,), str(value)) for entry, value in sums.items()}


def _shares(record: Record, others: set[str]) -> dict[str, list[Fraction]]:
    shares: dict[str, list[Fraction]] = {}
    for line in record.lines:
        for meeting in line.meetings:
            if meeting.opponent in others:
                shares.setdefault(meeting.opponent, []).append(meeting.share)
    return shares


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, ZERO) / len(values)


class Wins(OwnMark):
    """First places won, shared ones in part; a walkover is not a win."""

    key = "wins"
    title = "wins"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        wins = sum((line.wins for line in record.lines), ZERO)
        return Mark((wins,), str(wins))


class Places(OwnMark):
    """First places, then second places, and so on, shared ones in part."""

    key = "places"
    title = "first, then second places, and so on"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        counts = [ZERO] * 10
        for line in record.lines:
            for at, part in enumerate(line.places):
                counts[at] += part
        last = max((at for at, count in enumerate(counts) if count), default=0)
        return Mark(tuple(counts), ", ".join(map(str, counts[: last + 1])))


class OpponentsPoints(OwnMark):
    """The points of everybody met (Buchholz)."""

    key = "opponents_points"
    title = "opponents' points"
    cut_low: ClassVar[int] = 0
    cut_high: ClassVar[int] = 0

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        points = _opponents_points(accounts, record)
        points.sort(key=accounts.points_key)
        kept = points[self.cut_low : max(self.cut_low, len(points) - self.cut_high)]
        total = sum(kept, ZERO)
        return Mark((accounts.points_key(total),), str(total))


class OpponentsPointsCut(OpponentsPoints):
    """The points of everybody met but the weakest (Buchholz, cut 1)."""

    key = "opponents_points_cut"
    title = "opponents' points without the lowest"
    cut_low = 1


class OpponentsPointsMedian(OpponentsPoints):
    """The points of everybody met but the strongest and the weakest (Buchholz, median 1)."""

    key = "opponents_points_median"
    title = "opponents' points without the highest and the lowest"
    cut_low = 1
    cut_high = 1


def _opponents_points(accounts: Accounts, record: Record) -> list[Fraction]:
    points: list[Fraction] = []
    for line in record.lines:
        if line.meetings:
            points.extend(accounts.records[meeting.opponent].points for meeting in line.meetings)
        else:
            points.extend([record.points] * (accounts.pay.size - 1))
    return points


class BeatenPoints(OwnMark):
    """The points of everybody beaten, and half of those who were level (Sonneborn-Berger)."""

    key = "beaten_points"
    title = "points of those beaten"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        meetings = [meeting for line in record.lines for meeting in line.meetings]
        total = sum((each.share * accounts.records[each.opponent].points for each in meetings), ZERO)
        return Mark((total,), str(total))


class ScoreDifference(OwnMark):
    """By how much the games' scores beat the average of the others, added up."""

    key = "score_difference"
    title = "score difference"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = sum((line.difference for line in record.lines), ZERO)
        return Mark((total,), str(total))


class GameScore(OwnMark):
    """The games' own scores added up; low or high wins as in the game."""

    key = "game_score"
    title = "game scores"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        total = Fraction(sum(line.score for line in record.lines))
        return Mark((-total if accounts.pay.low_wins else total,), str(total))


class MostRecent(OwnMark):
    """The points of the latest round, then of the one before, and so on."""

    key = "most_recent"
    title = "the most recent rounds"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        rounds = max((line.round for each in accounts.records.values() for line in each.lines), default=0)
        earned = [ZERO] * rounds
        for line in record.lines:
            earned[rounds - line.round] += line.points
        return Mark(tuple(map(accounts.points_key, earned)), ", ".join(map(str, earned)))


class Lot(OwnMark):
    """The lot that the competition's seed drew for each entry: the last resort, which always decides."""

    key = "lot"
    title = "the lot"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        drawn = accounts.lots[record.entry]
        return Mark((Fraction(-drawn),), str(drawn))


class Placement(OwnMark):
    """The place that the format itself gives, such as how far an entry came in a knockout."""

    key = "placement"
    title = "how far they came"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        reached = accounts.reached.get(record.entry, NOWHERE)
        return Mark((Fraction(-reached.place),), str(reached.place))


class Points(OwnMark):
    """The stage's points."""

    key = "points"
    title = "points"

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        return Mark((accounts.points_key(record.points),), str(record.points))


PLACEMENT: Final = Placement()
POINTS: Final = Points()
LOT: Final = Lot()

TIE_BREAKS: Final[tuple[Criterion, ...]] = (
    HeadToHead(),
    Wins(),
    Places(),
    OpponentsPoints(),
    OpponentsPointsCut(),
    OpponentsPointsMedian(),
    BeatenPoints(),
    ScoreDifference(),
    GameScore(),
    MostRecent(),
    LOT,
)

BY_KEY: Final[Mapping[str, Criterion]] = {each.key: each for each in TIE_BREAKS}
