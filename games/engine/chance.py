"""Verifiable randomness: a committed secret, the seats' entropy, and draws keyed by their purpose.

``docs/chance.md`` is the specification, with test vectors.
"""

import hmac
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import TypeVar

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
