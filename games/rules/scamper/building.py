"""Turns a plan of the search, which has only natural cards, into melds with their wild cards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.engine.cards import RANKS, SUITS, Card, rank
from games.engine.melds import SMALLEST
from games.rules.scamper.moves import Group
from games.rules.scamper.scoring import VALUE
from games.rules.scamper.search import Chosen, Plan
from games.rules.scamper.sets import UNLIMITED, Hosting, fewest_naturals


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
