"""The points of cards (S3, S25)."""

from collections.abc import Iterable
from typing import Final

from games.engine.cards import JOKER, Card, pack, rank

VALUES: Final[dict[str, int]] = {"2": 20, "A": 20, **dict.fromkeys("89TJQK", 10), **dict.fromkeys("34567", 5)}
JOKER_VALUE: Final = 50
VALUE: Final[dict[Card, int]] = {
    card: JOKER_VALUE if card == JOKER else VALUES[rank(card)] for card in pack()
}
"""The points of each card left in hand (S3)."""


def points(cards: Iterable[Card]) -> int:
    """Return the sum of the cards' points (S25)."""
    return sum(VALUE[card] for card in cards)
