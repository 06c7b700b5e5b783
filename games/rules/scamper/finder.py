"""Finds the best layings of a hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.engine.cards import RANKS, SMALLEST, SUITS, Card, order, rank, without
from games.engine.values import replace
from games.rules.scamper.cores import counted
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Contract, Options
from games.rules.scamper.scoring import VALUE, points
from games.rules.scamper.search import Asked, Chosen, Plan, Search
from games.rules.scamper.sets import UNLIMITED, Hosting, fewest_naturals, hostings, set_plans

# ---- Building melds ------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunPart:
    """A planned run: suit and ranks of its naturals, and how many wild cards it needs and can take."""

    suit: str
    ranks: tuple[int, ...]
    needed: int
    room: int

    def laid(self, wild: Sequence[Card]) -> Group:
        """Return the run with the wild cards in its gaps, then above its naturals, then below."""
        stand_ins = iter(wild)
        first, last = self.ranks[0], self.ranks[-1]
        cards = [
            Card(RANKS[rank] + self.suit) if rank in self.ranks else next(stand_ins)
            for rank in range(first, last + 1)
        ]
        further = list(stand_ins)
        above = min(len(further), len(RANKS) - 1 - last)
        return Group("run", (*further[above:], *cards, *further[:above]))


@dataclass(frozen=True)
class SetPart:
    """A planned set: its naturals, and how many wild cards it needs and can take."""

    naturals: tuple[Card, ...]
    needed: int
    room: int

    def laid(self, wild: Sequence[Card]) -> Group:
        """Return the set with these wild cards."""
        return Group("set", (*self.naturals, *wild))


def groups(hand: Sequence[Card], plan: Plan, wild: frozenset[Card]) -> tuple[Group, ...]:
    """Return the melds of the plan, with the most valuable wild cards that it has room for."""
    left = list(hand)
    runs = [_run_part(chosen, left) for chosen in plan.runs]
    sets = [part for hosting in plan.hostings for part in _set_parts(hosting, left)]
    pool = sorted((card for card in left if card in wild), key=lambda card: (-VALUE[card], card))
    return tuple(_with_wild((*runs, *sets), pool[: plan.wild]))


def _run_part(chosen: Chosen, left: list[Card]) -> RunPart:
    """Return the run, and remove its naturals from the cards left."""
    suit = SUITS[chosen.core.suit]
    for rank_index in chosen.core.ranks:
        left.remove(Card(RANKS[rank_index] + suit))
    return RunPart(suit, chosen.core.ranks, chosen.needed, chosen.room)


def _set_parts(hosting: Hosting, left: Sequence[Card]) -> Iterator[SetPart]:
    """Yield the sets of a rank; its naturals are divided so that the fewest wild cards are needed."""
    naturals = [card for card in left if rank(card) == RANKS[hosting.rank]]
    least = [*map(fewest_naturals, hosting.served), *[2] * hosting.more]
    sizes = [*hosting.served, *[SMALLEST] * hosting.more]
    spare = len(naturals) - sum(least)
    for number, (few, size) in enumerate(zip(least, sizes, strict=True)):
        last = number == len(sizes) - 1
        count = few + (spare if last else min(spare, size - few))
        spare -= count - few
        unlimited = hosting.room >= UNLIMITED and number >= len(hosting.served)
        yield SetPart(tuple(naturals[:count]), max(0, size - count), UNLIMITED if unlimited else count - 1)
        del naturals[:count]


def _with_wild(parts: Sequence[RunPart | SetPart], pool: Sequence[Card]) -> Iterator[Group]:
    """Yield each meld with the wild cards that it needs; spare ones go to the first that have room."""
    spare = len(pool) - sum(part.needed for part in parts)
    taken = 0
    for part in parts:
        more = min(spare, part.room - part.needed)
        count = part.needed + more
        yield part.laid(pool[taken : taken + count])
        spare -= more
        taken += count


# ---- The finder ----------------------------------------------------------------------------------

NOTHING_ASKED: Final = Contract((), ())
EFFORT: Final = 250_000
"""Limit of steps, about 50 milliseconds. Searches of hands of up to 20 cards end before."""


@dataclass(frozen=True)
class Layout:
    """Melds that can be laid in one move, and the points that stay in the hand after it.

    ``proved`` means that no other layout leaves fewer.
    """

    melds: tuple[Group, ...]
    left: int
    proved: bool


def best_layout(
    hand: Sequence[Card], contract: Contract, options: Options, *, effort: int | None = None
) -> Layout | None:
    """Return the layout with the contract that leaves the fewest points, or None if there is none.

    Pass `NOTHING_ASKED` for a seat that is down; its layout may be empty. With ``effort`` a search of more
    steps (`search.Search`) returns the best layout so far.
    """
    return _found(tuple(sorted(hand, key=order)), _demand(contract, options), False, effort)


def any_layout(hand: Sequence[Card], contract: Contract, options: Options) -> Layout | None:
    """Return any layout with the contract, or None; faster than `best_layout`."""
    return _found(tuple(sorted(hand, key=order)), _demand(contract, options), True, None)


def _demand(contract: Contract, options: Options) -> Asked:
    sets, runs = (tuple(sorted(sizes, reverse=True)) for sizes in (contract.sets, contract.runs))
    return Asked(sets, runs, options.strict_ratio, options.aces == "both", options.wild)


@lru_cache(maxsize=1024)
def _found(hand: tuple[Card, ...], asked: Asked, first: bool, effort: int | None) -> Layout | None:
    """Return the layout of a sorted hand. If it would lay all cards, the cheapest possible card stays."""
    if not hand:
        return None
    cheapest = min(VALUE[card] for card in hand)
    layout = _laid(hand, asked, 0 if first else points(hand) - cheapest, effort)
    if layout is None or layout.left:
        return layout
    best = None
    for card in sorted({*hand}, key=lambda card: (VALUE[card], order(card))):
        if best and (first or VALUE[card] >= best.left):
            break
        rest = without(hand, (card,))
        kept = _laid(rest, asked, 0 if first else points(rest), effort)
        if kept and (best is None or kept.left + VALUE[card] < best.left):
            best = replace(kept, left=kept.left + VALUE[card])
    return best


def _laid(hand: Sequence[Card], asked: Asked, enough: int, effort: int | None) -> Layout | None:
    """Return the layout that lays the most points, or the first that lays at least ``enough``."""
    search = Search(counted(hand, asked.wild, low_ace=asked.low_ace), asked, enough, effort)
    if search.plan is None:
        return None
    melds = groups(hand, search.plan, asked.wild)
    left = points(hand) - sum(points(meld.cards) for meld in melds)
    return Layout(melds, left, proved=enough > 0 and not search.cut)


def forget() -> None:
    """Clear the caches, for benchmarks."""
    _found.cache_clear()
    set_plans.cache_clear()
    hostings.cache_clear()
