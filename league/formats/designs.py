"""Exact round robins: schedules in which every two meet equally often, and everybody plays (or rests) alike.

They are resolvable and near-resolvable block designs (Handbook of Combinatorial Designs, second edition,
part II.7): the circle method for duels, the lines of affine spaces over finite fields, and base rounds found
by search, each of which is turned through its whole cycle.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from league.formats.base_rounds import BASE_ROUNDS

Block: TypeAlias = tuple[int, ...]
Class: TypeAlias = tuple[Block, ...]
"""A round: tables of places 0, 1, …; whoever is in none of them rests."""


def turned(entries: int, cycle: int, bases: Sequence[Class]) -> Iterator[Class]:
    """Yield base rounds and what adding 1, 2, … modulo ``cycle`` within each layer of that many places gives.

    A last place beyond the layers stays where it is.
    """
    turning = entries - entries % cycle
    for base in bases:
        for step in range(cycle):
            yield tuple(tuple(_turned(place, step, cycle, turning) for place in block) for block in base)


def _turned(place: int, step: int, cycle: int, turning: int) -> int:
    if place >= turning:
        return place
    layer, at = divmod(place, cycle)
    return layer * cycle + (at + step) % cycle


@cache
def design(entries: int, size: int) -> tuple[Class, ...] | None:
    """Return the rounds of an exact round robin at tables of one size, or None where none is known here.

    Every two meet equally often; where numbers leave one over, each rests in one round.
    """
    if entries == size:
        return (((*range(size),),),)
    if size == 2:
        return tuple(turned(entries, entries - 1 + entries % 2, [_circle(entries)]))
    if field := _affine(entries, size):
        return tuple(_parallel_classes(*field))
    found = BASE_ROUNDS.get((entries, size))
    return tuple(turned(entries, *found)) if found else None


def meetings(classes: Sequence[Class]) -> int:
    """Return how often every two meet in an exact round robin."""
    return sum({0, 1} <= {*block} for one_round in classes for block in one_round)


# ---- Duels ---------------------------------------------------------------------------------------


def _circle(entries: int) -> Class:
    """Return the first round of the circle method; with an odd number place 0 rests."""
    cycle = entries - 1 + entries % 2
    fixed = () if entries % 2 else ((0, entries - 1),)
    return (*fixed, *((at, cycle - at) for at in range(1, (cycle + 1) // 2)))


# ---- Affine spaces -------------------------------------------------------------------------------

FIELDS: Final[Mapping[int, tuple[int, tuple[int, ...]]]] = {
    2: (2, (0,)),
    3: (3, (0,)),
    4: (2, (1, 1)),
    5: (5, (0,)),
    7: (7, (0,)),
    8: (2, (1, 1, 0)),
    9: (3, (2, 0)),
}
"""For the order of each field its prime, and what x to the degree is worth: coefficients of 1, x, …"""

Element: TypeAlias = tuple[int, ...]
Vector: TypeAlias = tuple[Element, ...]


def _affine(entries: int, size: int) -> tuple[int, int] | None:
    """Return the order and dimension of the space whose points are the entries and whose lines the tables."""
    if size not in FIELDS:
        return None
    dimension = next((power for power in range(2, 8) if size**power == entries), None)
    return (size, dimension) if dimension else None


def _parallel_classes(order: int, dimension: int) -> Iterator[Class]:
    """Yield, for each direction of the space, its lines: any two points are on one line."""
    elements = _elements(order)
    points = list(product(elements, repeat=dimension))
    place = {point: at for at, point in enumerate(points)}
    for direction in points:
        if _leads_with_one(direction, elements):
            lines = {
                tuple(sorted(place[_along(order, point, direction, step)] for step in elements))
                for point in points
            }
            yield tuple(sorted(lines))


def _elements(order: int) -> list[Element]:
    prime, worth = FIELDS[order]
    return list(product(range(prime), repeat=len(worth)))


def _leads_with_one(direction: Vector, elements: Sequence[Element]) -> bool:
    """Return whether the first part that isn't 0 is 1, which names each direction once."""
    zero, one = elements[0], _one(elements)
    return next((part for part in direction if part != zero), None) == one


def _one(elements: Sequence[Element]) -> Element:
    return (1, *elements[0][1:])


def _along(order: int, point: Vector, direction: Vector, step: Element) -> Vector:
    return tuple(
        _plus(order, part, _times(order, step, change)) for part, change in zip(point, direction, strict=True)
    )


def _plus(order: int, one: Element, other: Element) -> Element:
    prime, _ = FIELDS[order]
    return tuple((first + second) % prime for first, second in zip(one, other, strict=True))


def _times(order: int, one: Element, other: Element) -> Element:
    """Return a product: the sum of one's coefficients times the other multiplied by 1, x, x², …"""
    prime, worth = FIELDS[order]
    total: Element = (0,) * len(worth)
    for coefficient in one:
        total = _plus(order, total, tuple(coefficient * part % prime for part in other))
        carried = other[-1]
        shifted = (0, *other[:-1])
        other = tuple((part + carried * back) % prime for part, back in zip(shifted, worth, strict=True))
    return total
