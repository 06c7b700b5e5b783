"""Rooms with their tables: which number, and which room, the tables of a round get by their position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise
from typing import Annotated, Final, Generic, Protocol, TypeVar

from games.engine.shapes import Help, Label, Length
from league.core.state import values as v


class Placed(Protocol):
    """A table; ``place`` is its number in the hall where tables open as people come and free up, else 0."""

    @property
    def place(self) -> int: ...


T = TypeVar("T", bound=Placed)


@dataclass(frozen=True)
class Room:
    """A room, or one without a name, with the numbers of its first and last table."""

    name: Annotated[str, Length(0, 40), Label("Room"), Help("empty where there is only one")] = ""
    first: Annotated[v.Count, Label("First table")] = 1
    last: Annotated[v.Count, Label("Last table")] = 1


@dataclass(frozen=True)
class Rooms:
    """Rooms in the order of their tables, and numbers that no table has.

    Without any, tables are numbered from 1. Tables for which the rooms are too small follow the last number.
    """

    rooms: Annotated[
        tuple[Room, ...], Length(0, 50), Label("Rooms"), Help("none: tables are numbered from 1")
    ] = ()
    without: Annotated[
        tuple[v.Count, ...], Length(0, 200), Label("Numbers to leave out"), Help("no table has one of these")
    ] = ()

    @property
    def tables(self) -> int:
        """Return how many tables there are in the rooms, 0 where no rooms are named."""
        return sum(1 for _ in self._in_rooms())

    def numbers(self, tables: int) -> tuple[int, ...]:
        """Return the numbers of so many tables, in order."""
        after = count(self.rooms[-1].last + 1 if self.rooms else 1)
        beyond = (number for number in after if number not in self.without)
        return tuple(islice(chain(self._in_rooms(), beyond), tables))

    def position(self, number: int) -> int:
        """Return which table of a round has a number, counted from 1; 0 where none ever has."""
        if number in self.without:
            return 0
        before = self.numbers(number)
        return before.index(number) + 1 if number in before else 0

    def room_of(self, number: int) -> str:
        """Return the name of the room of a table; empty where it has none."""
        return next((each.name for each in self.rooms if each.first <= number <= each.last), "")

    def _in_rooms(self) -> Iterator[int]:
        for each in self.rooms:
            yield from (n for n in range(each.first, each.last + 1) if n not in self.without)


NO_ROOMS: Final = Rooms()


class InRooms(Generic[T]):
    """What has tables, and rooms that give them their numbers."""

    tables: Sequence[T]
    rooms: Rooms

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the tables, in order; two that open for those who wait may share one."""
        by_position = self.rooms.numbers(len(self.tables))
        return tuple(table.place or number for number, table in zip(by_position, self.tables, strict=True))

    @property
    def numbered(self) -> Sequence[tuple[int, T]]:
        """Return the tables in order, each with its number."""
        return list(zip(self.numbers, self.tables, strict=True))

    def number_of(self, table: T) -> int:
        """Return the number of one of the tables."""
        return self.numbers[self.tables.index(table)]


def overlapping(rooms: Sequence[Room]) -> bool:
    """Return whether rooms are not in the order of their tables, two have the same one, or one has none."""
    ordered = all(one.last < other.first for one, other in pairwise(rooms))
    return not ordered or any(each.last < each.first for each in rooms)
