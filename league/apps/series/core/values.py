"""What a part is worth to a person: its points, an average, what was beaten, or a formula of place and field.

The formulas are those that bridge unions publish. In all of them those who share a place share what their
places earn.

- ``acbl_club``: the American Contract Bridge League's open club games (ACBL Handbook, *Calculating the
  Awards*): first place a tenth for each table, at most 1½; second 70 %, third 50 %, fourth 35 %, from the
  fifth on 1/5, 1/6, … of it; for 40 % of the field, halves rounded up. A pair that sits out makes a table.
- ``acbl_open``: its general formula, first place (tables + 10)/60 up to 60 tables and log₁₀(tables/4) above,
  down to a thousandth, multiplied by ``times`` for class and sessions; places as in club games.
- ``two_winners``, ``one_winner``, ``individual``: the Scottish Bridge Union's club awards for the top third:
  10, 20, …; 6, 12, …; and 6, 9, … from the last of them up. Who shares the last place has the least award.
- ``simultaneous``: simultaneous pairs of ECatsBridge: first place 150·√(tables/25), rounded up, falling
  evenly over the top third; rounded up.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, isqrt
from typing import Final, TypeAlias

from league.apps.series.core.parts import Part, Share
from league.apps.series.core.rule import Value

ZERO: Final = Fraction(0)
Worth: TypeAlias = Callable[[Part, Share], Fraction | None]
"""What a part is worth by its share; None where there is nothing to tell it by."""
_Award: TypeAlias = Callable[[int, int, int], Fraction]
"""What a place earns, by place, size of the field, and tables."""


def worth(value: Value) -> Worth:
    """Return the function that a rule's value is."""
    times = Fraction(value.times)
    plain = _worth(value)
    if times == 1:
        return plain

    def multiplied(part: Part, share: Share) -> Fraction | None:
        found = plain(part, share)
        return None if found is None else found * times

    return multiplied


def _worth(value: Value) -> Worth:
    match value.by:
        case "points":
            return _points(value)
        case "per_deal":
            return lambda _, share: share.points / share.deals if share.deals else None
        case "per_table":
            return lambda _, share: share.points / share.tables if share.tables else None
        case "beaten":
            beaten = cache(_beaten)
            return lambda part, share: beaten(share.rank, share.level, entries(part))
        case _:
            return _by_place(value)


def entries(part: Part) -> int:
    """Return how many were ranked: where nobody wrote it down, those who have a share."""
    return part.field or len(part.shares)


def _points(value: Value) -> Worth:
    if value.least is None:
        return lambda _, share: share.points
    least = Fraction(value.least)
    return lambda _, share: share.points if share.points >= least else ZERO


def _beaten(rank: int, level: int, field: int) -> Fraction | None:
    return Fraction(50 * (2 * (field - rank) - level), field - 1) if field > 1 else None


def _by_place(value: Value) -> Worth:
    least = _LEAST.get(value.by)
    award = _table_of_places(value) if value.by == "places" else _AWARDS[value.by]
    alone = value.by == "places" and value.level == "best"

    @cache
    def earned(rank: int, level: int, field: int, tables: int) -> Fraction:
        if alone or not level:
            return award(rank, field, tables)
        each = [award(place, field, tables) for place in range(rank, rank + level + 1)]
        shared = sum(each, ZERO) / len(each)
        return shared if least is None or not each[0] else max(shared, least)

    rounded = value.by == "simultaneous"

    def by_place(part: Part, share: Share) -> Fraction:
        field = entries(part)
        found = earned(share.rank, share.level, field, _tables(part, field))
        return Fraction(ceil(found)) if rounded else found

    return by_place


def _tables(part: Part, field: int) -> int:
    """Return the tables of a field of pairs; one that sits out makes a table, too."""
    sits_out = part.tables and field == 2 * part.tables + 1
    return part.tables + bool(sits_out) if part.tables else (field + 1) // 2


def _table_of_places(value: Value) -> _Award:
    places, rest = [*map(Fraction, value.places)], Fraction(value.rest)
    return lambda place, _field, _tables: places[place - 1] if place <= len(places) else rest


_FALL: Final = (Fraction(1), Fraction(7, 10), Fraction(1, 2), Fraction(7, 20))
"""What the first four places earn in the clubs of the ACBL."""


def _falling(first: Fraction, place: int, field: int) -> Fraction:
    """Return what a place earns where the first earns so much and 40 % of the field are rewarded."""
    if place > (4 * field + 5) // 10:
        return ZERO
    return first * (_FALL[place - 1] if place <= len(_FALL) else Fraction(1, place))


def _acbl_club(place: int, field: int, tables: int) -> Fraction:
    return _falling(min(Fraction(tables, 10), Fraction(3, 2)), place, field)


def _acbl_open(place: int, field: int, tables: int) -> Fraction:
    first = Fraction(tables + 10, 60) if tables <= _LINEAR else _logarithm(tables)
    return _falling(first, place, field)


_LINEAR: Final = 60


@cache
def _logarithm(tables: int) -> Fraction:
    """Return log₁₀(tables/4) down to a thousandth: the digits of the thousandth power tell it."""
    return Fraction(len(str(tables**1000 // 4**1000)) - 1, 1000)


def _top_third(lowest: int, step: int) -> _Award:
    def award(place: int, field: int, _tables: int) -> Fraction:
        last = max(1, field // 3)
        return Fraction(lowest + step * (last - place)) if place <= last else ZERO

    return award


def _simultaneous(place: int, field: int, tables: int) -> Fraction:
    last, first = max(1, field // 3), isqrt(900 * tables - 1) + 1
    return Fraction(ceil(Fraction(first * (last - place + 1), last))) if place <= last else ZERO


_AWARDS: Final[dict[str, _Award]] = {
    "acbl_club": _acbl_club,
    "acbl_open": _acbl_open,
    "two_winners": _top_third(10, 10),
    "one_winner": _top_third(6, 6),
    "individual": _top_third(6, 3),
    "simultaneous": _simultaneous,
}
_LEAST: Final[dict[str, Fraction]] = {
    "two_winners": Fraction(10),
    "one_winner": Fraction(6),
    "individual": Fraction(6),
}
"""What who shares a rewarded place has at least."""
