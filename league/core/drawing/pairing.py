"""An even number of entries in pairs of the least total cost."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import combinations
from typing import Final

from games.engine.chance import Chance
from league.core.drawing.least_cost import Tables
from league.core.drawing.matching import Edge, Matching

NEAREST: Final = 8
"""The first matching is sought among so many of the cheapest opponents of each entry."""
LOT: Final = 1 << 24
"""The lots of pairs are below this: two pairings of equal cost have equal lots about never."""


def best_pairs(meeting: Sequence[Sequence[int]], chance: Chance, purpose: str = "pairing") -> Tables:
    """Return an even number of entries in pairs of the least total cost.

    Of several such pairings it is the one with the least sum of lots. The seed gives a lot to each pair of
    entries for the purpose, so the answer does not depend on how it is found.
    """
    prices = _with_lots(meeting, chance.words(purpose))
    edges = _nearest(prices)
    while True:
        matching = Matching(_graph(prices, edges))
        missing = set(_too_cheap(prices, matching))
        if not missing:
            return [[one, other] for one, other in enumerate(matching.partner) if one < other]
        edges |= missing


def _with_lots(meeting: Sequence[Sequence[int]], words: Iterable[int]) -> list[list[int]]:
    count = len(meeting)
    unit = LOT * count
    prices = [[unit * cost for cost in row] for row in meeting]
    for (one, other), word in zip(combinations(range(count), 2), words, strict=False):
        prices[one][other] += word % LOT
        prices[other][one] = prices[one][other]
    return prices


def _nearest(prices: Sequence[Sequence[int]]) -> set[Edge]:
    """Return the cheapest pairs of each entry, and those of two neighbours in the list: all can be paired."""
    count = len(prices)
    edges = {(one, one + 1) for one in range(0, count, 2)}
    for one, row in enumerate(prices):
        others = nsmallest(NEAREST + 1, range(count), key=row.__getitem__)
        edges.update((min(one, other), max(one, other)) for other in others if other != one)
    return edges


def _graph(prices: Sequence[Sequence[int]], edges: set[Edge]) -> list[dict[int, int]]:
    graph: list[dict[int, int]] = [{} for _ in prices]
    for one, other in sorted(edges):
        graph[one][other] = graph[other][one] = prices[one][other]
    return graph


def _too_cheap(prices: Sequence[Sequence[int]], matching: Matching) -> Iterator[Edge]:
    """Yield the pairs whose slack is negative: without any the matching is cheapest among all pairs."""
    value = matching.value
    for one, row in enumerate(prices):
        shared, mine = matching.shared_weights(one), value[one]
        for other in range(one):
            if 2 * row[other] + shared[other] < mine + value[other]:
                yield other, one
