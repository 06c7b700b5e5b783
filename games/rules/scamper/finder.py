"""Melds in a hand: a way to lay down a contract or the proof that there is none, and the best way (S15, S18).

The answers are exact. "Best" lays the cards that count most, so that the fewest points stay; one card always
stays for the discard (S11). Of several best ways the same one comes back for the same hand, always.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from games.engine.cards import Card, order, without
from games.rules.scamper.building import groups
from games.rules.scamper.cores import counted
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Contract
from games.rules.scamper.scoring import VALUE, points
from games.rules.scamper.search import Asked, Search
from games.rules.scamper.sets import hostings, set_plans

NOTHING_ASKED: Final = Contract((), ())
EFFORT: Final = 250_000
"""Steps of a search: about a twentieth of a second. Hands of up to 20 cards need fewer to be searched out."""


@dataclass(frozen=True)
class Layout:
    """Melds that can be laid in one move, and the points that stay in the hand after it.

    ``proved``: no other layout leaves fewer.
    """

    melds: tuple[Group, ...]
    left: int
    proved: bool


def best_layout(
    hand: Sequence[Card],
    contract: Contract,
    wild: frozenset[Card],
    *,
    strict: bool,
    effort: int | None = None,
) -> Layout | None:
    """Return the layout with the contract that leaves the fewest points, or None where there is none.

    `NOTHING_ASKED` as contract is for a seat that is down; the layout without melds is among its answers.
    With ``effort`` a search that takes more steps (`search.Search`) ends with the best layout so far.
    """
    return _found(tuple(sorted(hand, key=order)), _asked(contract, strict), wild, False, effort)


def any_layout(
    hand: Sequence[Card], contract: Contract, wild: frozenset[Card], *, strict: bool
) -> Layout | None:
    """Return some layout with the contract, sooner than the best, or None where there is none."""
    return _found(tuple(sorted(hand, key=order)), _asked(contract, strict), wild, True, None)


def _asked(contract: Contract, strict: bool) -> Asked:
    sets, runs = (tuple(sorted(sizes, reverse=True)) for sizes in (contract.sets, contract.runs))
    return Asked(sets, runs, strict)


@lru_cache(maxsize=1024)
def _found(
    hand: tuple[Card, ...], asked: Asked, wild: frozenset[Card], first: bool, effort: int | None
) -> Layout | None:
    """Return the layout of a sorted hand. Where all would be laid, a card stays: the cheapest that can."""
    if not hand:
        return None
    cheapest = min(VALUE[card] for card in hand)
    layout = _laid(hand, asked, wild, 0 if first else points(hand) - cheapest, effort)
    if layout is None or layout.left:
        return layout
    found = None
    for card in sorted({*hand}, key=lambda card: (VALUE[card], order(card))):
        if found and (first or VALUE[card] >= found.left):
            break
        rest = without(hand, (card,))
        kept = _laid(rest, asked, wild, 0 if first else points(rest), effort)
        if kept and (found is None or kept.left + VALUE[card] < found.left):
            found = replace(kept, left=kept.left + VALUE[card])
    return found


def _laid(
    hand: Sequence[Card], asked: Asked, wild: frozenset[Card], enough: int, effort: int | None
) -> Layout | None:
    """Return the layout that lays the most points, or the first that lays ``enough``."""
    search = Search(counted(hand, wild), asked, enough, effort)
    if search.plan is None:
        return None
    melds = groups(hand, search.plan, wild)
    left = points(hand) - sum(points(meld.cards) for meld in melds)
    return Layout(melds, left, proved=enough > 0 and not search.cut)


def forget() -> None:
    """Drop what is kept between calls; answers stay the same, times do not."""
    _found.cache_clear()
    set_plans.cache_clear()
    hostings.cache_clear()
