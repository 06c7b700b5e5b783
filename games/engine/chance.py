"""Verifiable randomness: a committed secret, the seats' entropy, and draws keyed by their purpose.

``docs/chance.md`` is the specification, with test vectors.
"""

import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import TypeAlias, TypeVar

from games.engine.jsontypes import JsonObject

T = TypeVar("T")

SECRET_BYTES = 32
FOUR_WORDS = Struct(">4Q")
WORDS = 1 << 64
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def commitment(secret: bytes) -> str:
    """Return the commitment to a secret, published before the game: 64 hex digits (docs/chance.md, 1)."""
    return sha256(b"trefoil/commitment/1" + secret).hexdigest()


def game_seed(secret: bytes, entropy: Sequence[str]) -> bytes:
    """Return the game's seed, 32 bytes, from the secret and one text for each seat (docs/chance.md, 2).

    Pass no texts for a game without entropy, and ``""`` for a seat that added nothing.
    """
    texts = json.dumps(list(entropy), ensure_ascii=False, separators=(",", ":"))
    return hmac.digest(secret, b"trefoil/seed/1" + texts.encode(), "sha256")


@dataclass(frozen=True)
class Chance:
    """All draws of one game. A draw depends on the seed and its purpose alone, not on other draws."""

    seed: bytes

    def words(self, purpose: str) -> Iterator[int]:
        """Yield the endless stream of 64-bit words of a purpose (docs/chance.md, 3)."""
        key = hmac.digest(self.seed, purpose.encode(), "sha256").ljust(64, b"\0")
        # An HMAC (RFC 2104) for each block, with the key hashed once: `hmac` takes twelve times as long.
        inner, outer = (sha256(key.translate(pad)) for pad in (INNER, OUTER))
        for block in count():
            within, around = inner.copy(), outer.copy()
            within.update(block.to_bytes(8, "big"))
            around.update(within.digest())
            yield from FOUR_WORDS.unpack(around.digest())

    def below(self, purpose: str, bound: int) -> int:
        """Return a uniform number from 0 to ``bound`` - 1 (docs/chance.md, 4)."""
        return draw_below(self.words(purpose), bound)

    def shuffled(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a uniform random order (docs/chance.md, 5)."""
        words, deck = self.words(purpose), list(items)
        for bound, limit in _bounds(len(deck)):
            word = next(words)
            while word >= limit:
                word = next(words)
            last, chosen = bound - 1, word % bound
            deck[last], deck[chosen] = deck[chosen], deck[last]
        return tuple(deck)

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        """Return ``count`` throws of a six-sided die, 1 to 6 (docs/chance.md, 6)."""
        words = self.words(purpose)
        return tuple(draw_below(words, 6) + 1 for _ in range(count))


@dataclass(frozen=True)
class NotedChance(Chance):
    """Draws that are noted: ``noted`` holds, by purpose, what each was made from and gave, as JSON."""

    noted: dict[str, JsonObject] = field(default_factory=dict)

    def below(self, purpose: str, bound: int) -> int:
        given = super().below(purpose, bound)
        self.noted[purpose] = {"draw": "below", "purpose": purpose, "bound": bound, "gives": given}
        return given

    def shuffled(self, purpose: str, items: Sequence[T]) -> tuple[T, ...]:
        given = super().shuffled(purpose, items)
        self.noted[purpose] = {
            "draw": "shuffle",
            "purpose": purpose,
            "items": [str(each) for each in items],
            "gives": [str(each) for each in given],
        }
        return given

    def dice(self, purpose: str, count: int) -> tuple[int, ...]:
        given = super().dice(purpose, count)
        self.noted[purpose] = {"draw": "dice", "purpose": purpose, "count": count, "gives": list(given)}
        return given


def draw_below(words: Iterator[int], bound: int) -> int:
    """Return the first word that falls below the largest multiple of ``bound``, modulo ``bound``."""
    word, limit = next(words), _limit(bound)
    while word >= limit:
        word = next(words)
    return word % bound


def _limit(bound: int) -> int:
    """Return the largest multiple of a bound that is not above the number of words."""
    return WORDS - WORDS % bound


@cache
def _bounds(count: int) -> Sequence[tuple[int, int]]:
    """Return for each draw of a shuffle of so many items its bound, and the limit of its words."""
    return [(bound, _limit(bound)) for bound in range(count, 1, -1)]


# ---- Draws as data: a program that knows no rules can make each again ----------------------------


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
