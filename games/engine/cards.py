"""Playing cards in their notation: rank then suit, ``9C``; a joker is ``JK``; a hand is ``"9C TC JK"``."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, islice
from typing import Annotated, Final, NewType

from games.engine.shapes import Matching

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER = Card("JK")
CARD_PATTERN = "[2-9TJQKA][CDHS]|JK"

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_CODES: Final = str.maketrans({sign: code for code, sign in SIGNS.items()})


def spelt(text: str) -> str:
    """Return the code of a card that people may spell otherwise: "10♥" and "th" give "TH"."""
    return re.sub(r"^10(?=.)", "T", text.translate(_CODES).upper())


AnyCard = Annotated[Card, Matching(CARD_PATTERN, "a card such as 9C, TD or JK", spelt, "9C")]


def rank(card: Card) -> str:
    """Return the card's rank, one of `RANKS`, or ``""`` for a joker, which has none."""
    return "" if card == JOKER else card[0]


def suit(card: Card) -> str:
    """Return the card's suit, one of `SUITS`, or ``""`` for a joker."""
    return "" if card == JOKER else card[1]


@cache
def pack() -> tuple[Card, ...]:
    """Return one pack: 52 cards, suit by suit from two to ace, then two jokers."""
    return (*(Card(r + s) for s in SUITS for r in RANKS), JOKER, JOKER)


def parse(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as ``"9C TC JK"``; raise ValueError for anything else."""
    codes = {*pack()}
    for word in text.split():
        if word not in codes:
            raise ValueError(f"{word} is not a card")
    return tuple(Card(word) for word in text.split())


def show(cards: Iterable[Card]) -> str:
    """Return the notation of the cards: the inverse of `parse`."""
    return " ".join(cards)


def order(card: Card) -> tuple[int, int]:
    """Return a sort key: by suit in the order of `SUITS`, then from two to ace; jokers last."""
    if card == JOKER:
        return (len(SUITS), 0)
    return (SUITS.index(card[1]), RANKS.index(card[0]))


def holds(hand: Sequence[Card], cards: Sequence[Card]) -> bool:
    """Return whether the hand contains all the cards, counting equal ones."""
    if len(cards) == 1:
        return cards[0] in hand
    left = list(hand)
    for card in cards:
        if card not in left:
            return False
        left.remove(card)
    return True


def without(hand: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the hand without the cards, in its order; raise ValueError if one is not in it."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def hidden_from(
    viewer: int | None, hands: Sequence[Sequence[Card]], stock: Sequence[Card]
) -> tuple[Card, ...]:
    """Return the cards that a seat, or a spectator (None), cannot see: the others' hands, then the stock."""
    return (*chain.from_iterable(hand for seat, hand in enumerate(hands) if seat != viewer), *stock)


def with_hidden(
    viewer: int | None, hands: Sequence[tuple[Card, ...]], cards: Iterable[str]
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Return hands and stock with these cards in place of those of `hidden_from`, in the same order."""
    new = map(Card, cards)
    dealt = [hand if seat == viewer else tuple(islice(new, len(hand))) for seat, hand in enumerate(hands)]
    return tuple(dealt), tuple(new)
