"""Exact round robins: every two entries meet equally often, and all have equally many tables and rests.

They are resolvable and near-resolvable block designs (Handbook of Combinatorial Designs, second edition,
part II.7): the circle method for tables of two, the lines of affine spaces over finite fields, and base
rounds found by search, each of which is rotated through its whole cycle.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pkgutil import get_data
from typing import Final, TypeAlias

# ---- Base rounds found by search -----------------------------------------------------------------

DesignRound: TypeAlias = tuple[tuple[int, ...], ...]
"""A round as tables of entries 0, 1, …; an entry in none of them rests."""


def stored(name: str) -> str:
    """Return a table of `known/`, which is read as the code is: at import, by its loader."""
    table = get_data(__package__, f"known/{name}.txt")
    assert table is not None
    return table.decode()


def rotated(entries: int, cycle: int, bases: Sequence[DesignRound]) -> Iterator[DesignRound]:
    """Yield the base rounds with 0, 1, 2, … added modulo ``cycle`` within each layer of so many entries.

    Last entries beyond the layers stay where they are.
    """
    moving = entries - entries % cycle
    for base in bases:
        for step in range(cycle):
            yield tuple(tuple(_shifted(entry, step, cycle, moving) for entry in table) for table in base)


def _shifted(entry: int, step: int, cycle: int, moving: int) -> int:
    if entry >= moving:
        return entry
    layer, position = divmod(entry, cycle)
    return layer * cycle + (position + step) % cycle


def _read(table: str) -> Iterator[tuple[tuple[int, int], tuple[int, tuple[DesignRound, ...]]]]:
    """Yield entries and table size, then the cycle and the tables of one or two base rounds, line by line."""
    for line in table.splitlines():
        numbers, _, rounds = line.partition(": ")
        entries, size, cycle = map(int, numbers.split())
        yield (entries, size), (cycle, tuple(map(_round, rounds.split("; "))))


def _round(text: str) -> DesignRound:
    return tuple(tuple(map(int, table.split())) for table in text.split(", "))


BASE_ROUNDS: Final = dict(_read(stored("designs")))
"""By number of entries and table size: the cycle and the base rounds."""


# ---- Designs -------------------------------------------------------------------------------------


@cache
def design(entries: int, size: int) -> tuple[DesignRound, ...] | None:
    """Return the rounds of an exact round robin at tables of one size, or None where none is known here.

    Where one entry is left over in each round, each rests once.
    """
    if entries == size:
        return (((*range(size),),),)
    if size == 2:
        return tuple(_duels(entries))
    if space := _affine(entries, size):
        return tuple(_parallel_classes(*space))
    known = BASE_ROUNDS.get((entries, size))
    return tuple(rotated(entries, *known)) if known else None


def meetings(rounds: Sequence[DesignRound]) -> int:
    """Return how often every two meet in an exact round robin."""
    return sum({0, 1} <= {*table} for each in rounds for table in each)


# ---- Tables of two -------------------------------------------------------------------------------


def _duels(entries: int) -> Iterator[DesignRound]:
    """Yield the rounds of the circle method, the entry with the first seat first; of an odd number one rests.

    All have as many first seats as second ones, or one more or less with an even number, and seats alternate
    from round to round: as even as Berger tables (FIDE Handbook C.05, annex 1).
    """
    cycle = entries - 1 + entries % 2
    base = tuple((one, cycle - one) for one in range(1, cycle, 2))
    for number, one_round in enumerate(rotated(entries, cycle, [base])):
        fixed = (number, entries - 1) if number % 2 == 0 else (entries - 1, number)
        yield one_round if entries % 2 else (fixed, *one_round)


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
"""For the order of each field its prime, and x to the power of its degree as coefficients of 1, x, …"""

Element: TypeAlias = tuple[int, ...]
Vector: TypeAlias = tuple[Element, ...]


def _affine(entries: int, size: int) -> tuple[int, int] | None:
    """Return order and dimension of the space with the entries as points and the tables as lines, if any."""
    if size not in FIELDS:
        return None
    dimension = next((power for power in range(2, 8) if size**power == entries), None)
    return (size, dimension) if dimension else None


def _parallel_classes(order: int, dimension: int) -> Iterator[DesignRound]:
    """Yield, for each direction of the space, its lines: any two points are on one line."""
    elements = _elements(order)
    points = list(product(elements, repeat=dimension))
    entry_of = {point: entry for entry, point in enumerate(points)}
    for direction in points:
        if _leads_with_one(direction, elements):
            lines = {
                tuple(sorted(entry_of[_along(order, point, direction, step)] for step in elements))
                for point in points
            }
            yield tuple(sorted(lines))


def _elements(order: int) -> list[Element]:
    prime, reduction = FIELDS[order]
    return list(product(range(prime), repeat=len(reduction)))


def _leads_with_one(direction: Vector, elements: Sequence[Element]) -> bool:
    """Return whether the first part other than 0 is 1, which is so for one vector of each direction."""
    zero = elements[0]
    return next((part for part in direction if part != zero), None) == (1, *zero[1:])


def _along(order: int, point: Vector, direction: Vector, step: Element) -> Vector:
    return tuple(
        _plus(order, part, _times(order, step, change)) for part, change in zip(point, direction, strict=True)
    )


def _plus(order: int, one: Element, other: Element) -> Element:
    prime, _ = FIELDS[order]
    return tuple((first + second) % prime for first, second in zip(one, other, strict=True))


def _times(order: int, one: Element, other: Element) -> Element:
    """Return a product: the sum of the coefficients of ``one`` times ``other`` times 1, x, x², …"""
    prime, reduction = FIELDS[order]
    total: Element = (0,) * len(reduction)
    for coefficient in one:
        total = _plus(order, total, tuple(coefficient * part % prime for part in other))
        carried = other[-1]
        shifted = (0, *other[:-1])
        other = tuple((part + carried * back) % prime for part, back in zip(shifted, reduction, strict=True))
    return total
