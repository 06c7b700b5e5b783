"""Finds the melds in a hand: whether the contract can be laid, and the best way to lay it (S15, S18).

The answers are exact and deterministic. The best layout leaves the fewest points in hand; one card always
stays for the discard (S11).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.engine.cards import Card, order, without
from games.engine.values import replace
from games.rules.scamper.building import groups
from games.rules.scamper.cores import counted
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Contract, Options
from games.rules.scamper.scoring import VALUE, points
from games.rules.scamper.search import Asked, Search
from games.rules.scamper.sets import hostings, set_plans

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
