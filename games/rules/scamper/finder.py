"""Melds in a hand: a way to lay down a contract or the proof that there is none, and the best way (S15, S18).

The answers are exact. "Best" lays the cards that count most, so that the fewest points stay; one card always
stays for the discard (S11). Of several best ways the same one comes back for the same hand, always.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.engine.cards import Card, order, without
from games.rules.scamper.building import groups
from games.rules.scamper.cores import counted
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Contract
from games.rules.scamper.scoring import VALUE, points
from games.rules.scamper.search import Asked, Search

NOTHING_ASKED = Contract((), ())


@dataclass(frozen=True)
class Layout:
    """Melds that can be laid in one move, and the points that stay in the hand after it."""

    melds: tuple[Group, ...]
    left: int


def best_layout(
    hand: Sequence[Card], contract: Contract, wild: frozenset[Card], *, strict: bool
) -> Layout | None:
    """Return the layout with the contract that leaves the fewest points, or None where there is none.

    `NOTHING_ASKED` as contract is for a seat that is down; the layout without melds is among its answers.
    """
    return _found(tuple(sorted(hand, key=order)), _asked(contract, strict), wild, False)


def any_layout(
    hand: Sequence[Card], contract: Contract, wild: frozenset[Card], *, strict: bool
) -> Layout | None:
    """Return some layout with the contract, sooner than the best, or None where there is none."""
    return _found(tuple(sorted(hand, key=order)), _asked(contract, strict), wild, True)


def _asked(contract: Contract, strict: bool) -> Asked:
    sets, runs = (tuple(sorted(sizes, reverse=True)) for sizes in (contract.sets, contract.runs))
    return Asked(sets, runs, strict)


@lru_cache(maxsize=1024)
def _found(hand: tuple[Card, ...], asked: Asked, wild: frozenset[Card], first: bool) -> Layout | None:
    """Return the layout of a sorted hand; a card must stay, and the cheapest that can stay is chosen."""
    if not hand:
        return None
    cheapest = min(VALUE[card] for card in hand)
    layout = _laid(hand, asked, wild, 0 if first else points(hand) - cheapest)
    if layout is None or layout.left:
        return layout
    found = None
    for card in sorted({*hand}, key=lambda card: (VALUE[card], order(card))):
        if found and (first or VALUE[card] >= found.left):
            break
        rest = without(hand, (card,))
        kept = _laid(rest, asked, wild, 0 if first else points(rest))
        if kept and (found is None or kept.left + VALUE[card] < found.left):
            found = Layout(kept.melds, kept.left + VALUE[card])
    return found


def _laid(hand: Sequence[Card], asked: Asked, wild: frozenset[Card], enough: int) -> Layout | None:
    """Return the layout that lays the most points, or the first that lays ``enough``."""
    plan = Search(counted(hand, wild), asked, enough).plan
    if plan is None:
        return None
    melds = groups(hand, plan, wild)
    return Layout(melds, points(hand) - sum(points(meld.cards) for meld in melds))
