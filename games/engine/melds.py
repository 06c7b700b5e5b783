"""Melds of the rummy games: the ways to read cards as a set of one rank or a run of one suit.

A reading says which cards are wild, standing for others. How many may be wild is a rule of each game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, assert_never

from games.engine.cards import SUITS, Card, rank, show, suit
from games.engine.messages import Message, text

IsWild = Callable[[Card], bool]
SMALLEST: Final = 3
"""The number of cards of the smallest set or run."""
MORE: Final = text("pick at least one more card that belongs to it.")


@dataclass(frozen=True)
class Reading:
    """One way to read a meld: the rank of a set, or the suit and lowest rank of a run.

    ``wild`` lists the indexes of the cards that stand for another.
    """

    rank: str
    suit: str
    wild: tuple[int, ...]


@dataclass(frozen=True)
class RunOrder:
    """The ranks of a run from low to high; if it wraps, the lowest follows the highest."""

    ranks: str
    wraps: bool = False

    def sequence(self, start: int, length: int) -> str | None:
        """Return ``length`` ranks from index ``start``, or None if the order ends before."""
        if length > len(self.ranks) or (not self.wraps and start + length > len(self.ranks)):
            return None
        return "".join(self.ranks[(start + step) % len(self.ranks)] for step in range(length))


@cache
def _sequences(order: RunOrder, length: int) -> tuple[str, ...]:
    """Return the ranks of every run of this length, from the lowest start."""
    found = (order.sequence(start, length) for start in range(len(order.ranks)))
    return tuple(sequence for sequence in found if sequence)


def set_readings(cards: Sequence[Card], is_wild: IsWild) -> tuple[Reading, ...]:
    """Return every way to read the cards as a set: a reading for each rank that all natural cards share."""
    naturals = {rank(card) for card in cards if not is_wild(card)}
    ranks = naturals or {rank(card) for card in cards}
    found = []
    for named in sorted(ranks):
        wild = tuple(index for index, card in enumerate(cards) if rank(card) != named)
        if all(is_wild(cards[index]) for index in wild):
            found.append(Reading(named, "", wild))
    return tuple(found)


def run_readings(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> tuple[Reading, ...]:
    """Return every way to read the cards, written from low to high, as a run in one suit.

    A card in its own position of the run is natural there, even if it is wild elsewhere (S14, C9). The first
    card that cannot be wild says the suit and where the run starts.
    """
    fixed = next((index for index, card in enumerate(cards) if not is_wild(card)), None)
    suits, sequences = SUITS, _sequences(order, len(cards))
    if fixed is not None:
        suits, named = suit(cards[fixed]), rank(cards[fixed])
        sequences = tuple(sequence for sequence in sequences if sequence[fixed] == named)
    found = (_reading_as(cards, named, sequence, is_wild) for named in suits for sequence in sequences)
    return tuple(reading for reading in found if reading)


def _reading_as(cards: Sequence[Card], named: str, sequence: str, is_wild: IsWild) -> Reading | None:
    """Return the only reading of the cards as this run, if there is one."""
    asked = zip(cards, sequence, strict=True)
    wild = tuple(index for index, (card, rank) in enumerate(asked) if card != rank + named)
    return Reading(sequence[0], named, wild) if all(is_wild(cards[index]) for index in wild) else None


def as_run(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> tuple[Card, ...]:
    """Return the cards as a run from low to high; as they are if they are one already, or can't be one.

    Wild cards fill the gaps, and go above before they go below.
    """
    if run_readings(cards, order, is_wild):
        return tuple(cards)
    runs = ((named, ranks) for named in SUITS for ranks in reversed(_sequences(order, len(cards))))
    found = (_filled(cards, [Card(rank + named) for rank in ranks], is_wild) for named, ranks in runs)
    return next((run for run in found if run), tuple(cards))


def _filled(cards: Sequence[Card], asked: Sequence[Card], is_wild: IsWild) -> tuple[Card, ...]:
    """Return the cards in the order asked for, wild ones for what is missing; empty if that can't be."""
    left, natural = list(cards), []
    for card in asked:
        natural.append(card in left)
        if card in left:
            left.remove(card)
    if not all(map(is_wild, left)):
        return ()
    others = iter(left)
    return tuple(card if there else next(others) for card, there in zip(asked, natural, strict=True))


def is_begun(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> bool:
    """Return whether cards are too few for a set or a run, but of one rank, or of one suit in the order."""
    naturals = [card for card in cards if not is_wild(card)]
    ranks, suits = {rank(card) for card in naturals}, {suit(card) for card in naturals}
    belong = len(ranks) <= 1 or (len(suits) == 1 and ranks <= {*order.ranks})
    return len(cards) < SMALLEST and belong


def described(kind: Literal["set", "run", "book", "pair"], cards: Sequence[Card]) -> Message:
    """Return a laid meld in words: ``the set 9C 9D 9H``."""
    match kind:
        case "set":
            return text("the set %(cards)s", cards=show(cards))
        case "run":
            return text("the run %(cards)s", cards=show(cards))
        case "book":
            return text("the book %(cards)s", cards=show(cards))
        case "pair":
            return text("the pair %(cards)s", cards=show(cards))
        case _:
            assert_never(kind)
