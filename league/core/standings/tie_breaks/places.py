"""Places taken at tables, compared with what is to be expected at tables of their sizes."""

from fractions import Fraction
from functools import partial
from typing import Final

from league.core.records import ZERO, Line, Record
from league.core.standings.tie_breaks.base import Accounts, Key, Mark, OwnMark

_MOST: Final = 10
"""Entries at the biggest table."""


class Wins(OwnMark):
    """How often an entry came first at its tables."""

    key = "wins"
    title = "wins"
    summary = (
        "first places. Where tables differ in size it is how many more than players of equal strength would "
        "have had at the same tables: at a table of four each wins one game in four, at a table of three one "
        "in three. So a smaller table or a missed round is no advantage; below 0 it is fewer. Where two "
        "sides meet it is the games won, with walkovers and byes that earn as much as a win"
    )
    lasts = True

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        return not accounts.duels

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        return _as_mark((_wins(accounts, record),))


class Places(OwnMark):
    """How often an entry took each place at its tables."""

    key = "places"
    title = "places"
    summary = (
        "first places, then second places, and so on. Where tables differ in size it is how many more of "
        "each than players of equal strength would have had, as with wins; at tables of two it is the wins"
    )
    lasts = True

    def fills_in(self, accounts: Accounts, record: Record) -> bool:
        return not accounts.duels

    def mark(self, accounts: Accounts, record: Record) -> Mark:
        if accounts.duels:
            return _as_mark((_wins(accounts, record),))
        counts = [_counted(accounts, record, place) for place in range(_MOST)]
        last = max((index for index, count in enumerate(counts) if count), default=0)
        return Mark(tuple(counts), ", ".join(map(str, counts[: last + 1])))


def _wins(accounts: Accounts, record: Record) -> Fraction:
    if accounts.duels:
        return Fraction(sum(_won(accounts, line) for line in record.lines))
    return _counted(accounts, record, 0)


def _counted(accounts: Accounts, record: Record, place: int) -> Fraction:
    return accounts.over_all_rounds(record, f"place {place}", partial(_above, place))


def _above(place: int, line: Line) -> Fraction:
    """Return the entry's part of a place, from 0, less the 1/k that each of k entries expects."""
    return line.places[place] - Fraction(1, len(line.places)) if place < len(line.places) else ZERO


def _won(accounts: Accounts, line: Line) -> int:
    """Return how many duels a line wins outright (FIDE Handbook C.07, 7.1: with or without playing)."""
    if line.kind == "played":
        return int(line.wins == 1)
    times = 1 if line.table else accounts.boards
    return times if accounts.win is not None and line.points == accounts.win * times else 0


def _as_mark(key: Key) -> Mark:
    return Mark(key, ", ".join(map(str, key)))
