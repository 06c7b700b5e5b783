"""Groups and brackets out of pots: seeds change places by lot with those of like strength."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from games.engine.chance import Chance
from league.core.drawing.bracket import seeded

TRIES = 100
"""So many orders are tried to keep those apart who come from one group."""


def from_pots(
    seeds: Sequence[str],
    pots: Sequence[int],
    before: Mapping[str, int],
    meeting: Callable[[Sequence[str]], Iterator[Sequence[str]]],
    chance: Chance,
) -> list[str]:
    """Return the seeds with those of each pot in an order by lot; ``pots`` are their sizes, the best first.

    ``before`` has the group from which each comes, ``meeting`` says who would meet at the start. Of all tries
    the first counts in which the fewest of one group do.
    """

    def again(order: Sequence[str]) -> int:
        pairs = chain.from_iterable(combinations(each, 2) for each in meeting(order))
        return sum(one in before and before[one] == before.get(other) for one, other in pairs)

    best: tuple[int, list[str]] | None = None
    for number in range(TRIES):
        order = _shuffled(seeds, pots, chance, number)
        count = again(order)
        if best is None or count < best[0]:
            best = count, order
        if not count:
            break
    assert best is not None
    return best[1]


def _shuffled(seeds: Sequence[str], pots: Sequence[int], chance: Chance, number: int) -> list[str]:
    found: list[str] = []
    for pot, size in enumerate(pots):
        found += chance.shuffled(f"pots {number}.{pot}", sorted(seeds[len(found) : len(found) + size]))
    return found


def even_pots(count: int, size: int) -> list[int]:
    """Return pots of a size for so many, the last with those who are left."""
    return [min(size, count - begin) for begin in range(0, count, size)]


def doubling_pots(count: int) -> list[int]:
    """Return the pots of a bracket: the first seed, the second, third and fourth, fifth to eighth, …"""
    found = [1]
    while sum(found) < count:
        found.append(min(sum(found), count - sum(found)))
    return found


def first_pairs(order: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield who meets in the first round of a bracket."""
    slots = seeded(len(order))
    for one, other in zip(slots[::2], slots[1::2], strict=False):
        if one is not None and other is not None:
            yield order[one], order[other]


def even_groups(count: int, groups: int) -> list[int]:
    """Return the sizes of groups of so many, as even as can be, the bigger ones first."""
    size, bigger = divmod(count, groups)
    return [size + (number < bigger) for number in range(groups)]
