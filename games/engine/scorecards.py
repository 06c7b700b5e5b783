"""The state of a score card of a game with real cards: the entered rounds, and an arbiter's penalties."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from games.engine.base import replaced
from games.engine.messages import plural, text
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace

O = TypeVar("O")  # noqa: E741 - the options of a game
R = TypeVar("R")  # the result of a round


@dataclass(frozen=True)
class Entry(Generic[R]):
    """The latest result of a round. ``by`` is the seat that entered it, or None for a scorekeeper.

    What a scorekeeper entered is ``agreed`` at once. If a seat's entry is, then ``confirmed`` is the seat
    that confirmed it, or None for a scorekeeper. It is ``disputed`` if a seat replaced what another seat had
    entered, or what was agreed.
    """

    result: R
    by: int | None
    agreed: bool = False
    confirmed: int | None = None
    corrections: int = 0
    disputed: bool = False

    @property
    def version(self) -> int:
        """Return how often the round was written."""
        return self.corrections + 1

    def awaits(self, seat: int | None) -> bool:
        """Return whether the seat, or a scorekeeper (None), may confirm it; who entered it may not."""
        return not self.agreed and self.by != seat

    def replaced(self, result: R, by: int | None) -> "Entry[R]":
        """Return the entry with which a seat, or a scorekeeper (None), corrects this one."""
        disputed = by is not None and (self.disputed or self.agreed or self.by != by)
        return Entry(result, by, by is None, corrections=self.corrections + 1, disputed=disputed)


@dataclass(frozen=True)
class Penalty:
    """An arbiter's points for a seat, and the number of the round in which they count."""

    round: int
    seat: int
    points: int


@dataclass(frozen=True)
class Card(Generic[O, R]):
    """A score card: its options, the entered rounds, the penalties, and the seats that have left the game."""

    options: O
    seats: int
    entries: tuple[Entry[R], ...] = ()
    penalties: tuple[Penalty, ...] = ()
    out: tuple[int, ...] = ()

    @property
    def agreed(self) -> bool:
        """Return whether every entered round is confirmed."""
        return all(entry.agreed for entry in self.entries)

    def result(self, number: int) -> R:
        """Return the result of an entered round."""
        return self.entries[number - 1].result

    def penalties_in(self, number: int) -> tuple[int, ...]:
        """Return the points of each seat's own penalties in a round."""
        given = [each for each in self.penalties if each.round == number]
        return tuple(sum(each.points for each in given if each.seat == seat) for seat in range(self.seats))

    def with_entry(self, number: int, entry: Entry[R]) -> "Card[O, R]":
        """Return the card with another entry for a round."""
        return replace(self, entries=replaced(self.entries, number - 1, entry))


@dataclass(frozen=True)
class Conduct:
    """The rules of a card, which refusals quote, and how often a round may be corrected.

    ``order`` is the rule that rounds come in order, ``confirming`` that somebody else confirms them, and
    ``correcting`` that they are not corrected for ever.
    """

    order: str
    confirming: str
    correcting: str
    corrections: int = 20


def added(parts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return each seat's sum over one or more parts."""
    return tuple(map(sum, zip(*parts, strict=True)))


def check_lines(seats: int, lines: Sequence[object], rule: str, field: str = "seats") -> None:
    """Raise `Illegal` if a result has not one line for each seat."""
    if len(lines) != seats:
        sentence = plural("The card has %(count)s seat.", "The card has %(count)s seats.", seats)
        raise Illegal(sentence, rule, [field])


def check_filled(values: Sequence[int | None], out: Container[int], part: str) -> None:
    """Raise `Malformed` if a line has no value and its seat is not ``out`` of the game.

    ``part`` is the field of the value in a line of ``seats``.
    """
    blank = [seat for seat, value in enumerate(values) if value is None and seat not in out]
    if blank:
        raise Malformed({f"seats.{seat}.{part}": [text("This field is required.")] for seat in blank})
