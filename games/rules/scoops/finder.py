"""Finds exactly what a hand allows: all sets, a winning lay-down, the best sets for Coffee, all floats.

Bit masks over the indexes of the hand stand for cards, so that equal cards count separately.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Literal

from games.engine.cards import SUITS, Card, RunOrder, rank
from games.rules.scoops.contract import Contract, Kind, Part
from games.rules.scoops.moves import Float, Group, LayDown
from games.rules.scoops.state import Laid


@dataclass(frozen=True)
class Found:
    """A legal group, and a bit mask of its cards in the hand."""

    mask: int
    group: Group


def _found(hand: Sequence[Card], kind: Kind, indexes: Sequence[int]) -> Found:
    mask = sum(1 << index for index in indexes)
    return Found(mask, Group(kind, tuple(hand[index] for index in indexes)))


def books(hand: Sequence[Card], contract: Contract, sizes: range) -> Iterator[Found]:
    """Yield every book in the hand of one of the sizes (C7 to C9)."""
    by_rank: dict[str, list[int]] = {}
    for index, card in enumerate(hand):
        by_rank.setdefault(rank(card), []).append(index)
    for named, naturals in by_rank.items():
        # A wild card cannot stand for a joker, which has no rank (C8).
        wilds = (i for i, card in enumerate(hand) if rank(card) != named and contract.is_wild(card))
        others = [*wilds] if named else []
        for size in sizes:
            for chosen in combinations(naturals, size):
                yield _found(hand, "book", chosen)
            for chosen in combinations(naturals, size - 1):
                yield from (_found(hand, "book", (*chosen, wild)) for wild in others)


def runs(hand: Sequence[Card], contract: Contract, sizes: range) -> Iterator[Found]:
    """Yield every run in the hand of one of the sizes (C6 to C9)."""
    held: dict[Card, list[int]] = {}
    for index, card in enumerate(hand):
        held.setdefault(card, []).append(index)
    wilds = [index for index, card in enumerate(hand) if contract.is_wild(card)]
    for sequence in _held_sequences(held, contract.rule.order, sizes, 1 if wilds else 0):
        for indexes in _fillings([held.get(card, []) for card in sequence], wilds):
            yield _found(hand, "run", indexes)


@cache
def _sequences(order: RunOrder, size: int) -> tuple[tuple[Card, ...], ...]:
    """Return every sequence of ``size`` cards of one suit."""
    sequences = ((suit, order.sequence(start, size)) for suit in SUITS for start in range(len(order.ranks)))
    return tuple(tuple(Card(named + suit) for named in ranks) for suit, ranks in sequences if ranks)


def _held_sequences(
    held: Mapping[Card, Sequence[int]], order: RunOrder, sizes: range, missing: int
) -> Iterator[tuple[Card, ...]]:
    """Yield the sequences of which the hand lacks at most ``missing`` cards."""
    cards = frozenset(held)
    for size in sizes:
        near = [each for each in _sequences(order, size) if len(cards.intersection(each)) >= size - missing]
        yield from near
        if not near:  # Then there is no longer one either.
            return


def _fillings(naturals: Sequence[Sequence[int]], wilds: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield each way to make a run of cards of the hand, with at most one wild card (C9)."""
    yield from product(*naturals)
    for gap, natural in enumerate(naturals):
        stand_ins = [wild for wild in wilds if wild not in natural]
        for chosen in product(*naturals[:gap], stand_ins, *naturals[gap + 1 :]):
            if len({*chosen}) == len(chosen):
                yield chosen


def pairs(hand: Sequence[Card], contract: Contract) -> Iterator[Found]:
    """Yield every pair in the hand (C10)."""
    for indexes in combinations(range(len(hand)), 2):
        one, other = (hand[index] for index in indexes)
        if rank(one) == rank(other) or contract.is_wild(one) or contract.is_wild(other):
            yield _found(hand, "pair", indexes)


def sets(hand: Sequence[Card], contract: Contract) -> tuple[Group, ...]:
    """Return every distinct set that could be laid from the hand."""
    sizes = range(3, len(hand) + 1)
    found = (*books(hand, contract, sizes), *runs(hand, contract, sizes))
    return tuple(dict.fromkeys(each.group for each in found))


def winning_lay_down(hand: Sequence[Card], contract: Contract, taken: Card | None = None) -> LayDown | None:
    """Return a winning lay-down from a hand of nine, or None (C16).

    Of several it is one with the most scoop bonuses (C11). ``taken`` may not be discarded (C15).
    """
    goal = contract.goal
    if not goal.parts or len(hand) != sum(part.size for part in goal.parts) + goal.discards:
        return None
    found = {part: _groups_for(hand, contract, part) for part in {*goal.parts}}
    discards = dict.fromkeys(card for card in hand if card != taken) if goal.discards else (None,)
    won = [
        LayDown(groups, card) for card in discards for groups in _covers(_mask(hand, card), goal.parts, found)
    ]
    return max(won, key=lambda lay_down: bonus(lay_down.groups, contract), default=None)


def _mask(hand: Sequence[Card], discard: Card | None) -> int:
    """Return the bit mask of the hand without a discard."""
    everything = (1 << len(hand)) - 1
    return everything if discard is None else everything & ~(1 << hand.index(discard))


def bonus(groups: Sequence[Group], contract: Contract) -> int:
    """Return the number of scoop bonuses in the groups (C11)."""
    return sum(contract.is_scoop(group.kind, group.cards) for group in groups)


def _groups_for(hand: Sequence[Card], contract: Contract, part: Part) -> tuple[Found, ...]:
    sizes = range(part.size, part.size + 1)
    by_kind = {
        "pair": lambda: pairs(hand, contract),
        "book": lambda: books(hand, contract, sizes),
        "run": lambda: runs(hand, contract, sizes),
    }
    return tuple(found for kind in part.kinds for found in by_kind[kind]())


def _covers(
    mask: int, parts: Sequence[Part], found: dict[Part, tuple[Found, ...]]
) -> Iterator[tuple[Group, ...]]:
    """Yield every way to split the cards of the mask into the parts."""
    if not parts:
        yield ()
        return
    lowest = mask & -mask
    for part in dict.fromkeys(parts):
        left = [*parts]
        left.remove(part)
        for each in found[part]:
            if each.mask & lowest and not each.mask & ~mask:
                yield from ((each.group, *rest) for rest in _covers(mask & ~each.mask, left, found))


@dataclass(frozen=True)
class Rest:
    """Sets in Coffee, their bonus, and the ``count`` of the other cards of the hand."""

    count: int
    bonus: int
    sets: tuple[Group, ...]


class Arrangement:
    """The best sets to lay in Coffee from a hand, or from any part of it."""

    def __init__(self, hand: Sequence[Card], contract: Contract) -> None:
        self._hand = tuple(hand)
        self._contract = contract
        self._known = {0: Rest(0, 0, ())}
        sizes = range(3, len(hand) + 1)
        self._by_lowest: dict[int, dict[int, Group]] = {}
        for found in (*books(hand, contract, sizes), *runs(hand, contract, sizes)):
            self._by_lowest.setdefault(found.mask & -found.mask, {}).setdefault(found.mask, found.group)

    def best(self, discard: Card | None = None) -> Rest:
        """Return the sets that leave the lowest count (C18), with the most scoop bonuses (C11).

        ``discard`` is a card of the hand that is discarded before.
        """
        return self._best(_mask(self._hand, discard))

    def _best(self, mask: int) -> Rest:
        if mask not in self._known:
            self._known[mask] = min(self._options(mask), key=lambda rest: (rest.count, -rest.bonus))
        return self._known[mask]

    def _options(self, mask: int) -> Iterator[Rest]:
        """Yield the best rest with each set of the first card, and without a set of that card."""
        lowest = mask & -mask
        for taken, group in self._by_lowest.get(lowest, {}).items():
            if not taken & ~mask:
                rest = self._best(mask & ~taken)
                scoop = self._contract.is_scoop(group.kind, group.cards)
                yield Rest(rest.count, rest.bonus + scoop, (group, *rest.sets))
        rest = self._best(mask & ~lowest)
        worth = self._contract.worth(self._hand[lowest.bit_length() - 1])
        yield Rest(rest.count + worth, rest.bonus, rest.sets)


def floats(hand: Sequence[Card], seat: int, melds: Sequence[Laid], contract: Contract) -> tuple[Float, ...]:
    """Return every float of a single card (C17); a longer float is several of these."""
    if all(laid.seat != seat for laid in melds):
        return ()
    cards = tuple(dict.fromkeys(hand))
    others = [laid for laid in melds if laid.seat != seat]
    return tuple(each for laid in others for each in _floats_onto(cards, laid, contract))


def _floats_onto(cards: Sequence[Card], laid: Laid, contract: Contract) -> Iterator[Float]:
    free = not laid.reading.wild
    if laid.kind == "book":
        for card in cards:
            stands_in = free and contract.is_wild(card) and bool(laid.reading.rank)
            if rank(card) == laid.reading.rank or stands_in:
                yield Float(laid.id, (card,))
        return
    for end, asked in _ends(laid, contract).items():
        for card in cards:
            if card == asked or (free and contract.is_wild(card)):
                yield Float(laid.id, (card,), end)


def _ends(laid: Laid, contract: Contract) -> dict[Literal["low", "high"], Card]:
    """Return the natural card that extends the run at each end, if there is one (C6, C7)."""
    order, length = contract.rule.order, len(laid.cards)
    low = order.ranks.index(laid.reading.rank)
    ends: dict[Literal["low", "high"], Card] = {}
    if length == len(order.ranks):
        return ends
    if low > 0 or order.wraps:
        ends["low"] = Card(order.ranks[low - 1] + laid.reading.suit)
    if low + length < len(order.ranks) or order.wraps:
        ends["high"] = Card(order.ranks[(low + length) % len(order.ranks)] + laid.reading.suit)
    return ends
