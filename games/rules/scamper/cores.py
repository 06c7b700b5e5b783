"""The natural cards that can make a run, suit by suit; the finder builds runs from them.

One integer holds the counts of a hand, a byte for each suit and rank, so that the search adds and removes
many cards in one step. Ranks count from 0 (two) to 12 (ace); the ace before a two is rank -1 (S13).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.engine.cards import JOKER, RANKS, SUITS, Card
from games.rules.scamper.scoring import VALUES

BYTE: Final = 8
LANE: Final = BYTE * len(RANKS)
LANE_MASK: Final = (1 << LANE) - 1
FULL: Final = 0x7F
"""The highest count in a byte; the highest bit detects the removal of a missing card."""
MISSING: Final = sum(0x80 << BYTE * cell for cell in range(len(RANKS) * len(SUITS)))
ACE: Final = len(RANKS) - 1
RANK_VALUE: Final = tuple(VALUES[rank] for rank in RANKS)
DEAREST_FIRST: Final = tuple(sorted(range(1, 13), key=lambda rank: -RANK_VALUE[rank]))
"""The ranks that sets are made of (S12), highest points first."""


def cell(suit: int, rank: int) -> int:
    """Return the count of one card of this suit and rank; both ranks of the ace are one card."""
    return 1 << (LANE * suit + BYTE * (rank % len(RANKS)))


def by_rank(cards: int) -> bytes:
    """Return the number of cards of each rank, over all suits."""
    low, high = cards & LANE_MASK, cards >> LANE
    total = low + (high & LANE_MASK) + (high >> LANE & LANE_MASK) + (high >> 2 * LANE)
    return total.to_bytes(len(RANKS), "little")


@dataclass(frozen=True)
class Counted:
    """The counts of a hand: all cards but jokers in ``cards``, the ``jokers``, and the wild ``deuces``.

    With ``low_ace`` an ace may come before a two.
    """

    cards: int
    jokers: int
    deuces: int
    low_ace: bool

    @property
    def wild(self) -> int:
        """Return the number of cards that may be wild."""
        return self.jokers + self.deuces


def counted(hand: Sequence[Card], wild: frozenset[Card], *, low_ace: bool) -> Counted:
    """Return the counts of the hand; ``wild`` are the cards that may be wild."""
    naturals = [card for card in hand if card != JOKER]
    cards = sum(cell(SUITS.index(card[1]), RANKS.index(card[0])) for card in naturals)
    deuces = sum(card in wild for card in naturals)
    return Counted(cards, len(hand) - len(naturals), deuces, low_ace)


class Core(NamedTuple):
    """Two or more naturals of a suit that a run can hold, from its first to its last natural card.

    ``gaps`` counts the ranks between them that wild cards must fill. ``deuce`` is 1 if one of them is a two
    that is natural here (S14) but could be wild elsewhere.
    """

    naturals: int
    value: int
    suit: int
    ranks: tuple[int, ...]
    cards: int
    gaps: int
    deuce: int

    def wild_for(self, size: int) -> int:
        """Return how many wild cards it needs for a run of at least this size."""
        return max(self.gaps, size - self.naturals)

    @property
    def kinds(self) -> int:
        """Return each different card of it once, as counts."""
        return sum(cell(self.suit, rank) for rank in {rank % len(RANKS) for rank in self.ranks})

    def with_rank(self, rank: int, deuce: int) -> "Core":
        """Return the core with one more natural above the others; ``deuce`` is 1 if it could be wild."""
        return Core(
            self.naturals + 1,
            self.value + RANK_VALUE[rank],
            self.suit,
            (*self.ranks, rank),
            self.cards + cell(self.suit, rank),
            self.gaps + rank - self.ranks[-1] - 1,
            self.deuce + deuce,
        )


def cores(hand: Counted) -> list[Core]:
    """Return every core that the wild cards can complete, those with most cards and points first."""
    tall = by_rank(hand.cards)
    found: list[Core] = []
    for suit in range(len(SUITS)):
        found += _of_suit(hand, suit, tall)
    found.sort(reverse=True)
    return found


def _of_suit(hand: Counted, suit: int, tall: bytes) -> Iterator[Core]:
    lane = (hand.cards >> LANE * suit & LANE_MASK).to_bytes(len(RANKS), "little")
    held = [rank for rank, count in enumerate(lane) if count]
    if hand.low_ace and lane[ACE]:
        held = [ACE - len(RANKS), *held]
    # A natural card is left out of a run that spans it only where a set, or another run, could want it.
    doubled = max(lane) > 1
    wanted = frozenset(rank for rank in held if doubled or (rank and tall[rank] > 1))
    for index, rank in enumerate(held):
        first = Core(1, RANK_VALUE[rank], suit, (rank,), cell(suit, rank), 0, _wild_deuce(hand, rank))
        for core in _longer(first, held[index + 1 :], hand, wanted):
            # An ace at each end takes two aces.
            if rank >= 0 or core.ranks[-1] < ACE or lane[ACE] > 1:
                yield core


def _wild_deuce(hand: Counted, rank: int) -> int:
    """Return 1 if a natural of this rank could be wild elsewhere (S14)."""
    return int(rank == 0 and hand.deuces > 0)


def _longer(core: Core, held: Sequence[int], hand: Counted, wanted: frozenset[int]) -> Iterator[Core]:
    """Yield the core with some of the higher ranks held added, as far as wild cards can fill its gaps."""
    wild = hand.wild - core.deuce
    for index, rank in enumerate(held):
        if rank - core.ranks[0] - core.naturals > wild:
            return
        longer = core.with_rank(rank, _wild_deuce(hand, rank))
        # Two naturals side by side still need a wild card to be three cards.
        if longer.naturals > 2 or wild:
            yield longer
        yield from _longer(longer, held[index + 1 :], hand, wanted)
        if rank not in wanted:
            return
