"""Seeds spread over tables or groups, and entries exchanged so that fewer meet again."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Met: TypeAlias = Mapping[str, Counter[str]]
"""How often each entry met each other one."""


def snaked(entries: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Return the entries dealt to tables of the sizes in snake order, which spreads the best seeds."""
    tables: list[list[str]] = [[] for _ in sizes]
    left = iter(entries)
    for turn in range(max(sizes)):
        order = range(len(sizes)) if turn % 2 == 0 else reversed(range(len(sizes)))
        for number in order:
            if len(tables[number]) < sizes[number]:
                tables[number].append(next(left))
    return tables


def kept_apart(tables: Sequence[Sequence[str]], met: Met) -> list[list[str]]:
    """Return the tables with entries exchanged as long as fewer meet again.

    First entries of one pot, those dealt in the same turn, change places: so the best seeds stay spread. Then
    entries of different pots do.
    """
    changed = [list(table) for table in tables]
    for same_pot in (True, False):
        while sum(_exchanged(changed, at, seat, met, same_pot) for at, seat in _seats(changed)):
            pass
    return changed


def _seats(tables: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    return ((at, seat) for at, table in enumerate(tables) for seat in range(len(table)))


def _exchanged(tables: list[list[str]], at: int, seat: int, met: Met, same_pot: bool) -> bool:
    """Make the exchange for the entry in a seat that avoids most meetings; return whether there is one."""
    here = tables[at]
    if not _again(here, seat, here[seat], met):
        return False
    others = [(to, other) for to, other in _seats(tables) if to != at and (other == seat or not same_pot)]
    avoided = [_avoided(here, seat, tables[to], other, met) for to, other in others]
    most = max(avoided, default=0)
    if most <= 0:
        return False
    to, other = others[avoided.index(most)]
    here[seat], tables[to][other] = tables[to][other], here[seat]
    return True


def _avoided(here: Sequence[str], seat: int, there: Sequence[str], other_seat: int, met: Met) -> int:
    one, other = here[seat], there[other_seat]
    before = _again(here, seat, one, met) + _again(there, other_seat, other, met)
    return before - _again(here, seat, other, met) - _again(there, other_seat, one, met)


def _again(table: Sequence[str], seat: int, entry: str, met: Met) -> int:
    """Return how often an entry has met the others of a table, if it has the seat."""
    return sum(met[entry][other] for number, other in enumerate(table) if number != seat)
