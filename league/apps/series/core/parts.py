"""What a series counts: the evenings of a club, or the lists that they consist of, with what each person has.

A *part* is an evening, or a list of one (a round), as the club counts. It is made from the log of a
competition, or typed in as totals.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import NamedTuple


class Place(NamedTuple):
    """A rank that so many others share; ``own``: of own points alone, which are a part of an entry's."""

    rank: int
    level: int
    own: bool = False


class Share(NamedTuple):
    """What a person has of a part: the entry's points and rank, and how much that was made of.

    ``rank`` is the best of those that ``level`` others share. ``deals`` and ``tables`` are how many were
    played, 0 where nobody wrote that down. ``partners`` are those who played for the same entry. ``fair`` is
    the place that rules count from the third edition on, where that is another one. ``own``: the rank is that
    of own points, which are a part of the entry's.
    """

    person: str
    points: Fraction
    rank: int
    level: int = 0
    deals: int = 0
    tables: int = 0
    partners: frozenset[str] = frozenset()
    fair: Place | None = None
    own: bool = False


@dataclass(frozen=True)
class Part:
    """An evening or a list, as far as a series counts it.

    ``evening`` is the number of its evening in the series, counted from 1 by date, and ``list`` that of the
    list, 0 for an evening as a whole. ``field`` is how many entries were ranked, at how many ``tables`` in
    the largest round; 0 where totals were typed in without that. ``weight`` is how often it counts, and
    ``final`` says that it counts in any case. ``running``: it is not over, so its shares are provisional.
    """

    key: str
    evening: int
    name: str
    on: date
    shares: tuple[Share, ...]
    list: int = 0
    field: int = 0
    tables: int = 0
    low_wins: bool = False
    weight: int = 1
    final: bool = False
    running: bool = False
