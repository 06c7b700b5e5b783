"""The exact search of `finder`: which naturals make runs and sets, so that the fewest points are left.

Every meld has two naturals or more (S17, S20), so that its naturals identify a layout: *cores* of runs, and
ranks used for sets. There must only be enough wild cards for them. The search chooses cores for the runs of
the contract, then for more runs, skips branches that cannot beat the best layout so far, and uses the other
ranks for sets.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from operator import or_
from typing import Final, NamedTuple

from games.engine.cards import RANKS, SMALLEST, Card
from games.rules.scamper.cores import FULL, MISSING, Core, Counted, by_rank, cell, cores
from games.rules.scamper.scoring import JOKER_VALUE, VALUES
from games.rules.scamper.sets import Hosting, most_points, set_plans

STEPS_OF_A_LIMIT: Final = 20
"""Computing a limit takes about as long as checking whether twenty cores fit."""


class Asked(NamedTuple):
    """What a layout needs: the contract's sets and runs, largest first, and the rules of its melds.

    ``strict`` means that S17 is for all melds, ``low_ace`` that an ace may come before a two (S13).
    """

    sets: tuple[int, ...]
    runs: tuple[int, ...]
    strict: bool
    low_ace: bool
    wild: frozenset[Card]


class Chosen(NamedTuple):
    """A core used as a run of ``size`` in the contract, or 0 for a run outside it.

    It needs ``needed`` wild cards and has room for ``room``; ``cost`` is ``needed`` and a deuce in it, which
    can no longer be wild. ``cells`` masks its cards that cannot be wild.
    """

    cost: int
    cards: int
    cells: int
    core: Core
    size: int
    needed: int
    room: int


class Plan(NamedTuple):
    """A layout: its runs, its sets by rank, and the number of wild cards laid with them."""

    runs: tuple[Chosen, ...]
    hostings: tuple[Hosting, ...]
    wild: int


class Node(NamedTuple):
    """A node of the search, with some runs chosen.

    It has the cards left, and of the runs: wild cards needed, deuces used as natural twos, points of the
    naturals, and room for wild cards.
    """

    left: int
    needed: int
    deuces: int
    value: int
    room: int
    runs: tuple[Chosen, ...]


class _Enough(Exception):
    """Ends the search: the layout is good enough."""


class Search:
    """The search over one hand: `plan` is the layout that lays the most points, or None.

    It ends with the first layout that lays ``enough`` points. With ``effort`` it ends after so many steps
    (0.1 s are about half a million) with the best so far, and sets ``cut``; but not without any layout.
    """

    def __init__(self, hand: Counted, asked: Asked, enough: int, effort: int | None = None) -> None:
        self.hand = hand
        self.asked = asked
        self.large = [size for size in asked.sets if size > SMALLEST]
        self.enough = enough
        self.effort = effort
        self.steps = 0
        self.cut = False
        self.plan: Plan | None = None
        self.best = -1
        found = cores(hand)
        self.menus = {size: self._menu(found, size) for size in {0, *asked.runs}}
        self.usable = self._usable()
        with suppress(_Enough):
            self._contract_runs(Node(hand.cards, 0, 0, 0, 0, ()), 0, self.menus[(*asked.runs, 0)[0]])

    def _menu(self, found: Sequence[Core], size: int) -> list[Chosen]:
        """Return the cores that can become a run of this size (0 for a run outside the contract)."""
        limited = size > 0 or self.asked.strict
        menu = []
        for core in found:
            needed = core.wild_for(size or SMALLEST)
            if needed + core.deuce <= self.hand.wild and not (limited and needed >= core.naturals):
                room = self._longest - core.naturals
                room = min(room, core.naturals - 1) if limited else room
                cells = (core.kinds - core.deuce * cell(core.suit, 0)) * FULL
                menu.append(Chosen(needed + core.deuce, core.cards, cells, core, size, needed, room))
        return menu

    @property
    def _longest(self) -> int:
        """Return the number of cards of the longest run (S13)."""
        return len(RANKS) + self.hand.low_ace

    def _usable(self) -> list[int]:
        """Return the cells of all runs outside the contract that 0, 1, 2, … wild cards can complete."""
        by_cost = [0] * (self.hand.wild + 1)
        for chosen in self.menus[0]:
            by_cost[chosen.cost] |= chosen.cells
        return list(accumulate(by_cost, or_))

    def _contract_runs(self, node: Node, number: int, menu: Sequence[Chosen]) -> None:
        """Choose a core for each run of the contract from ``number`` on, then more runs."""
        sizes = (*self.asked.runs[number:], 0)
        if not sizes[0]:
            self._more_runs(node, menu)
            return
        fitting = self._fitting(node, menu, self._spare(node, by_rank(node.left)))
        for index, chosen in enumerate(fitting):
            after = _after(node, chosen)
            ranks = by_rank(after.left)
            spare = self._spare(after, ranks)
            if spare >= 0 and self._limit(after, ranks, self.usable[spare], spare) > self.best:
                following = fitting[index:] if sizes[1] == sizes[0] else self.menus[sizes[1]]
                self._contract_runs(after, number + 1, following)

    def _more_runs(self, node: Node, menu: Sequence[Chosen]) -> None:
        """Try the layout with these runs only, then with each further run of the menu."""
        ranks = by_rank(node.left)
        spare = self._spare(node, ranks)
        if spare < 0 or not self._try(node, ranks, spare):
            return
        fitting = self._fitting(node, menu, spare)
        cells = [*accumulate((chosen.cells for chosen in reversed(fitting)), or_)][::-1]
        limit, limited_by = 0, -1
        for index, chosen in enumerate(fitting):
            if cells[index] != limited_by:
                limit, limited_by = self._limit(node, ranks, cells[index], spare), cells[index]
            if limit <= self.best:
                return
            self._stop_after_effort()
            if not _would_serve(node, chosen.core):
                self._more_runs(_after(node, chosen), fitting[index:])

    def _stop_after_effort(self) -> None:
        if self.effort is not None and self.steps > self.effort and self.plan:
            self.cut = True
            raise _Enough

    def _spare(self, node: Node, ranks: bytes) -> int:
        """Return how many wild cards are left at most, after the node's runs and the contract's larger sets.

        A set uses all naturals of its rank, at best of the most frequent one, and wild cards for the rest.
        """
        spare = self.hand.wild - node.deuces - node.needed
        if self.large:
            tallest = max(ranks[1:])
            spare -= sum(max(0, size - tallest) for size in self.large)
        return spare

    def _fitting(self, node: Node, menu: Sequence[Chosen], spare: int) -> list[Chosen]:
        """Return the part of the menu that the cards left and this many wild cards allow."""
        self.steps += len(menu)
        left = node.left | MISSING
        return [each for each in menu if each[0] <= spare and (left - each[1]) & MISSING == MISSING]

    def _try(self, node: Node, ranks: bytes, spare: int) -> bool:
        """Record the layout with the node's runs if it is the best; return whether the sets are possible."""
        if self._limit(node, ranks, 0, spare) <= self.best:
            return True
        wild = self.hand.wild - node.deuces
        plans = set_plans(ranks, wild - node.needed, self.asked.sets, self.asked.strict)
        for plan in plans:
            laid = min(wild, node.room + plan.room)
            value = node.value + plan.value + self._worth(laid, node)
            if value > self.best:
                self.best, self.plan = value, Plan(node.runs, plan.hostings, laid)
        if plans and self.best >= self.enough:
            raise _Enough
        return bool(plans)

    def _worth(self, wild: int, node: Node) -> int:
        """Return the points of so many wild cards, jokers first."""
        jokers = min(wild, self.hand.jokers)
        return jokers * JOKER_VALUE + min(wild - jokers, self.hand.deuces - node.deuces) * VALUES["2"]

    def _limit(self, node: Node, ranks: bytes, cells: int, spare: int) -> int:
        """Return an upper limit of the points of layouts with the node's runs and more within ``cells``."""
        self.steps += STEPS_OF_A_LIMIT
        points = most_points(ranks, by_rank(node.left & cells), spare)
        return node.value + self._worth(self.hand.wild - node.deuces, node) + points


def _after(node: Node, chosen: Chosen) -> Node:
    core = chosen.core
    return Node(
        node.left - core.cards,
        node.needed + chosen.needed,
        node.deuces + core.deuce,
        node.value + core.value,
        node.room + chosen.room,
        (*node.runs, chosen),
    )


def _would_serve(node: Node, core: Core) -> bool:
    """Return whether the core could replace one chosen for the contract without loss.

    The search tries that layout separately; since cores come in falling order, the core has as much room.
    """
    alone = core.wild_for(SMALLEST)
    for chosen in node.runs:
        if chosen.size and core > chosen.core:
            serving = core.wild_for(chosen.size)
            freed = chosen.needed - chosen.core.wild_for(SMALLEST)
            if serving < core.naturals and serving - alone <= freed:
                return True
    return False
