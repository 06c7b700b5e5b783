"""The part of the search without runs: how to use ranks for the contract's sets and more."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.engine.cards import SMALLEST
from games.rules.scamper.cores import DEAREST_FIRST, RANK_VALUE

UNLIMITED: Final = 10_000
"""The room for wild cards in a set that S17 does not limit."""


class Hosting(NamedTuple):
    """A rank whose naturals are all used for sets: one for each size ``served``, and maybe one ``more``.

    The sets need ``needed`` wild cards and have room for ``room``.
    """

    rank: int
    naturals: int
    served: tuple[int, ...]
    more: bool
    needed: int
    room: int


class SetPlan(NamedTuple):
    """Ranks used for sets: the points of their naturals, the room for wild cards, and each rank's use."""

    value: int
    room: int
    hostings: tuple[Hosting, ...]


def fewest_naturals(size: int) -> int:
    """Return how many naturals a set of the contract of this size needs (S17)."""
    return size // 2 + 1


@lru_cache(maxsize=4096)
def hostings(rank: int, naturals: int, sizes: tuple[int, ...], strict: bool) -> tuple[Hosting, ...]:
    """Return each way to use a rank's naturals for some of the contract's sets and one more.

    All naturals are used: another natural card never hurts, and saves a wild card or makes room for one.
    """
    found = []
    for count in range(len(sizes) + 1):
        for served in sorted({*combinations(sizes, count)}):
            for more in (False, True):
                asked = sum(served) + SMALLEST * more
                least = sum(map(fewest_naturals, served)) + 2 * more
                if asked and least <= naturals:
                    limited = naturals - len(served) - more
                    room = limited if strict or not more else UNLIMITED
                    found.append(Hosting(rank, naturals, served, more, max(0, asked - naturals), room))
    return tuple(found)


@lru_cache(maxsize=4096)
def set_plans(ranks: bytes, wild: int, sizes: tuple[int, ...], strict: bool) -> tuple[SetPlan, ...]:
    """Return the best plans for all sets of ``sizes`` with at most ``wild`` wild cards.

    ``ranks`` counts the naturals by rank. There is one plan for each amount of room, or none.
    """
    states: _States = {(sizes, 0, 0): SetPlan(0, 0, ())}
    for rank in DEAREST_FIRST:
        if ranks[rank] > 1:
            states = _with_rank(states, rank, ranks[rank], wild, strict)
    best: dict[int, SetPlan] = {}
    for (missing, _, room), plan in states.items():
        if not missing and (room not in best or best[room].value < plan.value):
            best[room] = plan
    return tuple(best.values())


_Key = tuple[tuple[int, ...], int, int]
_States = dict[_Key, SetPlan]


def _with_rank(states: _States, rank: int, naturals: int, wild: int, strict: bool) -> _States:
    """Return the states with one more rank; three naturals are always laid, two only with a wild card."""
    after: _States = {} if naturals >= SMALLEST else dict(states)
    for key, plan in _served(states, rank, naturals, wild, strict):
        if key not in after or after[key].value < plan.value:
            after[key] = plan
    return after


def _served(
    states: _States, rank: int, naturals: int, wild: int, strict: bool
) -> Iterator[tuple[_Key, SetPlan]]:
    value = naturals * RANK_VALUE[rank]
    for (missing, needed, room), plan in states.items():
        for hosting in hostings(rank, naturals, missing, strict):
            if needed + hosting.needed <= wild:
                total = min(UNLIMITED, room + hosting.room)
                key = (_less(missing, hosting.served), needed + hosting.needed, total)
                yield key, SetPlan(plan.value + value, total, (*plan.hostings, hosting))


def _less(sizes: tuple[int, ...], served: Sequence[int]) -> tuple[int, ...]:
    left = list(sizes)
    for size in served:
        left.remove(size)
    return tuple(left)


def most_points(ranks: bytes, in_runs: bytes, wild: int) -> int:
    """Return an upper limit of the points of naturals: all cards ``in_runs`` are laid without wild cards.

    Of the others, three of a rank are laid, two with a wild card, and single cards never.
    """
    value, pairs = in_runs[0] * RANK_VALUE[0], []
    for rank in range(1, 13):
        if count := ranks[rank]:
            run = in_runs[rank]
            if count > 2 or run == count:
                value += count * RANK_VALUE[rank]
            else:
                value += run * RANK_VALUE[rank]
                if count == 2:
                    pairs.append((2 - run) * RANK_VALUE[rank])
    if len(pairs) > wild:
        pairs.sort(reverse=True)
        del pairs[wild:]
    return value + sum(pairs)
