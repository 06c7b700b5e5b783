"""Playing cards in their notation: rank then suit, ``9C``; a joker is ``JK``; a hand is ``"9C TC JK"``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, NewType

from games.engine.shapes import Matching

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER = Card("JK")
CARD_PATTERN = "[2-9TJQKA][CDHS]|JK"

AnyCard = Annotated[Card, Matching(CARD_PATTERN, "a card such as 9C, TD or JK")]


def rank(card: Card) -> str:
    """Return the card's rank, one of `RANKS`, or ``""`` for a joker, which has none."""
    return "" if card == JOKER else card[0]


def suit(card: Card) -> str:
    """Return the card's suit, one of `SUITS`, or ``""`` for a joker."""
    return "" if card == JOKER else card[1]


def pack() -> tuple[Card, ...]:
    """Return one pack: 52 cards, suit by suit from two to ace, then two jokers."""
    return (*(Card(r + s) for s in SUITS for r in RANKS), JOKER, JOKER)


def parse(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as ``"9C TC JK"``; raises ValueError at a word that is no card."""
    codes = {*pack()}
    for word in text.split():
        if word not in codes:
            raise ValueError(f"{word} is not a card")
    return tuple(Card(word) for word in text.split())


def show(cards: Iterable[Card]) -> str:
    """Return the text that `parse` reads as these cards."""
    return " ".join(cards)


def order(card: Card) -> tuple[int, int]:
    """Return a sort key: by suit in the order of `SUITS`, then from two to ace; jokers last."""
    if card == JOKER:
        return (len(SUITS), 0)
    return (SUITS.index(card[1]), RANKS.index(card[0]))


def holds(hand: Sequence[Card], cards: Sequence[Card]) -> bool:
    """Return whether the hand, a multiset, has all the cards, each as often as asked."""
    return not Counter(cards) - Counter(hand)


def without(hand: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the hand less the cards, in the hand's order; raises ValueError where one isn't held."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
