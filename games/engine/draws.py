"""What a game draws by chance, as data: so a program that knows no rules can make each draw again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from games.engine.jsontypes import JsonObject


@dataclass(frozen=True)
class Amount:
    """A number that an option of the game says; without one, or if it is null, the number of seats."""

    option: str = ""
    by_seats: Mapping[int, int] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """Return ``{"option": name, "seats": {seats: number}}``, each if there is one."""
        return {
            **({"option": self.option} if self.option else {}),
            **(
                {"seats": {str(seats): number for seats, number in self.by_seats.items()}}
                if self.by_seats
                else {}
            ),
        }


Number: TypeAlias = int | Amount


@dataclass(frozen=True)
class Without:
    """Cards that are not in the pack where an option has a value."""

    cards: tuple[str, ...]
    option: str
    value: str

    def as_json(self) -> JsonObject:
        """Return ``{"cards", "option", "value"}``, the cards in one text."""
        return {"cards": " ".join(self.cards), "option": self.option, "value": self.value}


@dataclass(frozen=True)
class Shuffle:
    """A shuffle: the list before it is ``packs`` times the ``pack``, in which each card is ``each`` times.

    In ``purpose`` each ``#`` stands for a number from 1 on. If cards are dealt to the seats, ``hands`` are
    the numbers for seat 0, 1, …, the last for all further seats: they get them one after the other, from the
    first item on. In ``places`` the cards of a hand keep their order.
    """

    purpose: str
    pack: tuple[str, ...]
    packs: Number = 1
    each: Number = 1
    without: Without | None = None
    hands: tuple[Number, ...] = ()
    places: bool = False

    def as_json(self) -> JsonObject:
        """Return the fields, with the pack in one text; those at their default are left out."""
        return {
            "draw": "shuffle",
            "purpose": self.purpose,
            "pack": " ".join(self.pack),
            **({} if self.packs == 1 else {"packs": _written(self.packs)}),
            **({} if self.each == 1 else {"each": _written(self.each)}),
            **({"without": self.without.as_json()} if self.without else {}),
            **({"hands": [_written(each) for each in self.hands]} if self.hands else {}),
            **({"places": True} if self.places else {}),
        }


@dataclass(frozen=True)
class Below:
    """A number from 0 to ``bound`` - 1."""

    purpose: str
    bound: Number

    def as_json(self) -> JsonObject:
        """Return ``{"draw": "below", "purpose", "bound"}``."""
        return {"draw": "below", "purpose": self.purpose, "bound": _written(self.bound)}


@dataclass(frozen=True)
class Dice:
    """Throws of a six-sided die."""

    purpose: str
    count: Number

    def as_json(self) -> JsonObject:
        """Return ``{"draw": "dice", "purpose", "count"}``."""
        return {"draw": "dice", "purpose": self.purpose, "count": _written(self.count)}


Draw: TypeAlias = Shuffle | Below | Dice


def _written(number: Number) -> int | JsonObject:
    return number if isinstance(number, int) else number.as_json()
