"""The cards of Scram!: the numbers 1 to 13 and ``=``, each written as it is printed."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

EQUALS: Final = "="
FACES: Final = (*map(str, range(1, 14)), EQUALS)
COPIES: Final[Mapping[int, int]] = {3: 4, 4: 4, 6: 5}
"""How often each face is in the pack, by the number of campers (B1)."""


@cache
def pack(seats: int) -> tuple[str, ...]:
    """Return the cards of a game, sorted: five of each face, four with 3 or 4 campers (B1)."""
    return tuple(face for face in FACES for _ in range(COPIES[seats]))


def numbers(faces: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers among the faces, in their order; ``=`` is no number (B12)."""
    return tuple(int(face) for face in faces if face != EQUALS)


def different(faces: Iterable[str]) -> int:
    """Return how many different numbers the faces show: they match where that is at most one (B10)."""
    return len({*faces} - {EQUALS})


def total(faces: Sequence[str]) -> int:
    """Return a campsite's sum, each ``=`` counting as the lowest number there, 0 without any (B15)."""
    counted = numbers(faces)
    return sum(counted) + (len(faces) - len(counted)) * min(counted, default=0)


def below_matched(face: str) -> int:
    """Return a sort key for matched cards: ``=`` goes to the pile first (B11)."""
    return int(face != EQUALS)


def below_cleared(face: str) -> int:
    """Return a sort key for cards that an action discards: ``=`` first, then the higher numbers (A0)."""
    return -99 if face == EQUALS else -int(face)
