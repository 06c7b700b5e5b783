"""How laid cards can be read as a set of one rank or a run of one suit, wild cards standing for others.

The kernel that the rummy games share (Scamper S12 to S14, Scoops C7 to C9): it says every way a written meld
can be read and which cards are wild in it; how many may be wild is each game's own rule.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.cards import SUITS, Card, rank, suit

IsWild = Callable[[Card], bool]


@dataclass(frozen=True)
class Reading:
    """One way to read a meld: the rank of a set, or the suit and lowest rank of a run; ``wild`` lists the
    indexes of the cards that stand for another."""

    rank: str
    suit: str
    wild: tuple[int, ...]


@dataclass(frozen=True)
class RunOrder:
    """The ranks of a run from low to high; where it wraps, the lowest follows the highest."""

    ranks: str
    wraps: bool = False

    def sequence(self, start: int, length: int) -> str | None:
        """Return ``length`` ranks from index ``start``, or None where the order has no room for them."""
        if length > len(self.ranks) or (not self.wraps and start + length > len(self.ranks)):
            return None
        return "".join(self.ranks[(start + step) % len(self.ranks)] for step in range(length))


def set_readings(cards: Sequence[Card], is_wild: IsWild) -> tuple[Reading, ...]:
    """Return every way to read the cards as a set: a reading for each rank that all natural cards share."""
    naturals = {rank(card) for card in cards if not is_wild(card)}
    ranks = naturals or {rank(card) for card in cards}
    found = []
    for named in sorted(ranks):
        wild = tuple(place for place, card in enumerate(cards) if rank(card) != named)
        if all(is_wild(cards[place]) for place in wild):
            found.append(Reading(named, "", wild))
    return tuple(found)


def run_readings(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> tuple[Reading, ...]:
    """Return every way to read the cards, written from low to high, as a run in one suit.

    A card that is what its place asks for is natural there, also where its like is wild elsewhere (S14, C9).
    """
    found = []
    for named in SUITS:
        for start in range(len(order.ranks)):
            sequence = order.sequence(start, len(cards))
            if sequence is not None:
                found += reading_as(cards, named, sequence, is_wild)
    return tuple(found)


def reading_as(cards: Sequence[Card], named: str, sequence: str, is_wild: IsWild) -> list[Reading]:
    """Return the one reading of the cards as this run, or none."""
    pairs = zip(cards, sequence, strict=True)
    wild = tuple(
        place for place, (card, asked) in enumerate(pairs) if (rank(card), suit(card)) != (asked, named)
    )
    return [Reading(sequence[0], named, wild)] if all(is_wild(cards[place]) for place in wild) else []
