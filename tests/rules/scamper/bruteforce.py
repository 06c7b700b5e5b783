"""Every way to lay melds from a hand, by trying everything: what the finder is checked against."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from games.engine.cards import RANKS, SUITS, Card, holds, without
from games.rules.scamper import judging
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Contract, Options
from games.rules.scamper.scoring import points


def fewest_left(hand: Sequence[Card], contract: Contract, options: Options) -> int | None:
    """Return the fewest points that a legal layout leaves, at least one card staying; None without one."""
    melds = [*_sets(hand, options), *_runs(hand, options)]
    best = None
    for laid, left in _layouts(tuple(hand), melds):
        fewer = left and (best is None or points(left) < best)
        if fewer and judging.contract_fault(laid, contract, options) is None:
            best = points(left)
    return best


def _layouts(
    hand: tuple[Card, ...], melds: Sequence[Group], laid: tuple[Group, ...] = ()
) -> Iterator[tuple[tuple[Group, ...], tuple[Card, ...]]]:
    yield laid, hand
    for index, meld in enumerate(melds):
        if holds(hand, meld.cards):
            yield from _layouts(without(hand, meld.cards), melds[index:], (*laid, meld))


def _sets(hand: Sequence[Card], options: Options) -> list[Group]:
    chosen = {tuple(sorted(cards)) for size in range(3, len(hand) + 1) for cards in combinations(hand, size)}
    groups = [Group("set", cards) for cards in sorted(chosen)]
    return [group for group in groups if judging.meld_fault(group, options, limited=False) is None]


def _runs(hand: Sequence[Card], options: Options) -> list[Group]:
    ranks = RANKS if options.aces == "high" else f"A{RANKS}"
    written = {
        cards
        for suit in SUITS
        for low in range(len(ranks))
        for high in range(low + 3, len(ranks) + 1)
        for cards in _written(tuple(hand), suit, ranks[low:high], options)
    }
    groups = [Group("run", cards) for cards in sorted(written)]
    return [group for group in groups if judging.meld_fault(group, options, limited=False) is None]


def _written(hand: tuple[Card, ...], suit: str, ranks: str, options: Options) -> Iterator[tuple[Card, ...]]:
    if not ranks:
        yield ()
        return
    for card in sorted({card for card in hand if card == ranks[0] + suit or card in options.wild}):
        for rest in _written(without(hand, (card,)), suit, ranks[1:], options):
            yield (card, *rest)
