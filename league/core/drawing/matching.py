"""Perfect matchings of the least total cost in a graph: Edmonds' algorithm with blossoms.

The primal-dual method with one search tree at a time (W. Cook and A. Rohe, "Computing minimum-weight perfect
matchings", INFORMS Journal on Computing 11, 1999), in whole numbers. Every vertex has a dual value and every
blossom (an odd set of vertices that acts as one) a weight that is not negative. The slack of an edge is its
doubled cost, less the values of its ends, plus the weights of the blossoms that hold both. It is never below
0, and 0 on matched edges: that proves the matching to be a cheapest one.
"""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, TypeAlias

Edge: TypeAlias = tuple[int, int]
Graph: TypeAlias = Sequence[Mapping[int, int]]
"""For each vertex its neighbours, with the cost of the edge to each."""

FREE: Final = 0
OUTER: Final = 1
INNER: Final = -1


class Blossom:
    """A vertex, or an odd cycle of parts that acts as one vertex.

    ``links`` are the edges that join each part with the next one. ``base`` is the vertex whose partner is
    outside, in the first part. ``edge`` joins an inner blossom with the outer one from which it was reached.
    Where a blossom is labelled, values and weight are those at time ``since``.
    """

    __slots__ = ("base", "edge", "label", "leaves", "links", "parent", "parts", "since", "weight")

    def __init__(self, parts: "list[Blossom]", links: list[Edge], leaves: list[int], base: int) -> None:
        self.parts, self.links, self.leaves, self.base = parts, links, leaves, base
        self.parent: Blossom | None = None
        self.weight = 0
        self.label = FREE
        self.edge: Edge = (-1, -1)
        self.since = 0


class Matching:
    """A cheapest perfect matching, with the duals that prove it; raise `ValueError` where there is none."""

    def __init__(self, graph: Graph) -> None:
        self.graph = [{other: 2 * cost for other, cost in near.items()} for near in graph]
        self.partner = [-1] * len(graph)
        self.singles = [Blossom([], [], [vertex], vertex) for vertex in range(len(graph))]
        self.top = list(self.singles)
        self.value = [min(near.values(), default=0) // 2 for near in self.graph]
        self.now = 0
        self.labelled: list[Blossom] = []
        self.events: list[tuple[int, int, int]] = []
        self._match_greedily()
        for root in range(len(graph)):
            if self.partner[root] < 0:
                self._grow_from(root)

    def _match_greedily(self) -> None:
        for one, near in enumerate(self.graph):
            if self.partner[one] < 0 and near:
                slack, other = min((cost - self.value[other], other) for other, cost in near.items())
                self.value[one] = slack
                if self.partner[other] < 0:
                    self.partner[one], self.partner[other] = other, one

    # ---- One search tree -------------------------------------------------------------------------

    def _grow_from(self, root: int) -> None:
        """Grow a tree from an unmatched vertex until it reaches another one, and match both."""
        self.now, self.labelled, self.events = 0, [], []
        self._make_outer(self.top[root])
        while not self._next_event():
            pass
        for blossom in self.labelled:
            if blossom.parent is None:
                self._set_label(blossom, FREE)

    def _next_event(self) -> bool:
        """Raise the duals until an edge or a blossom has no slack; return whether the tree is complete."""
        if not self.events:
            raise ValueError("the graph has no perfect matching")
        time, one, other = heappop(self.events)
        if other < 0:
            self._emptied(one, time)
            return False
        here, there = self.top[one], self.top[other]
        if here is there or there.label == INNER or here.label != OUTER:
            return False
        slack = self.slack(one, other)
        tight = self.now + (slack if there.label == FREE else slack // 2)
        if tight > time:
            heappush(self.events, (tight, one, other))
            return False
        self.now = tight
        if there.label == OUTER:
            self._contract(one, other)
        elif self.partner[there.base] < 0:
            self._augment(one, other)
            return True
        else:
            self._extend(there, (one, other))
        return False

    def slack(self, one: int, other: int) -> int:
        """Return the slack of an edge between two outermost blossoms."""
        return self.graph[one][other] - self._value(one) - self._value(other)

    def _value(self, vertex: int) -> int:
        top = self.top[vertex]
        return self.value[vertex] + top.label * (self.now - top.since)

    def _set_label(self, blossom: Blossom, label: int) -> None:
        """Label an outermost blossom after writing down what its duals have become."""
        change = blossom.label * (self.now - blossom.since)
        if change:
            for vertex in blossom.leaves:
                self.value[vertex] += change
            if blossom.parts:
                blossom.weight += 2 * change
        blossom.label, blossom.since = label, self.now
        if label:
            self.labelled.append(blossom)

    def _make_outer(self, blossom: Blossom) -> None:
        self._set_label(blossom, OUTER)
        for vertex in blossom.leaves:
            self._watch(vertex)

    def _watch(self, one: int) -> None:
        """Await the times at which the edges of an outer vertex have no slack."""
        here, value = self.top[one], self.now - self.value[one]
        for other, cost in self.graph[one].items():
            there = self.top[other]
            if there is here or there.label == INNER:
                continue
            if there.label == FREE:
                heappush(self.events, (value + cost - self.value[other], one, other))
            else:
                heappush(self.events, (self.now + self.slack(one, other) // 2, one, other))

    def _make_inner(self, blossom: Blossom, edge: Edge) -> None:
        self._set_label(blossom, INNER)
        blossom.edge = edge
        if blossom.parts:
            heappush(self.events, (self.now + blossom.weight // 2, blossom.base, -1))

    def _extend(self, blossom: Blossom, edge: Edge) -> None:
        """Add a matched blossom to the tree, and the one that it is matched with."""
        self._make_inner(blossom, edge)
        self._make_outer(self.top[self.partner[blossom.base]])

    # ---- Blossoms --------------------------------------------------------------------------------

    def _up(self, blossom: Blossom) -> Blossom | None:
        """Return the inner blossom above an outer one, None above the root."""
        partner = self.partner[blossom.base]
        return None if partner < 0 else self.top[partner]

    def _path(self, vertex: int, stop: Blossom | None) -> tuple[list[Blossom], list[Edge]]:
        """Return the blossoms from a vertex up to one, which is left out, or to the root; and their edges."""
        blossoms: list[Blossom] = []
        edges: list[Edge] = []
        outer = self.top[vertex]
        while outer is not stop:
            blossoms.append(outer)
            inner = self._up(outer)
            if inner is None:
                break
            blossoms.append(inner)
            edges += [(outer.base, inner.base), (inner.edge[1], inner.edge[0])]
            outer = self.top[inner.edge[0]]
        return blossoms, edges

    def _contract(self, one: int, other: int) -> None:
        """Make one blossom of the cycle that an edge between two outer blossoms closes."""
        above = {id(each) for each in self._path(one, None)[0]}
        meeting = next(each for each in self._path(other, None)[0] if id(each) in above)
        down, down_edges = self._path(one, meeting)
        along, along_edges = self._path(other, meeting)
        links = [(there, here) for here, there in reversed(down_edges)]
        parts = [meeting, *reversed(down), *along]
        links = [*links, (one, other), *along_edges]
        self._closed(parts, links)

    def _closed(self, parts: list[Blossom], links: list[Edge]) -> None:
        leaves = [vertex for part in parts for vertex in part.leaves]
        blossom = Blossom(parts, links, leaves, parts[0].base)
        changed = [part for part in parts if part.label == INNER]
        for part in parts:
            self._set_label(part, FREE)
            part.parent = blossom
        blossom.since = self.now
        for vertex in leaves:
            self.top[vertex] = blossom
        self._set_label(blossom, OUTER)
        for part in changed:
            for vertex in part.leaves:
                self._watch(vertex)

    def _emptied(self, vertex: int, time: int) -> None:
        """Take an inner blossom whose weight has fallen to 0 apart, if it is still there."""
        blossom = self.top[vertex]
        if blossom.label != INNER or not blossom.parts:
            return
        end = blossom.since + blossom.weight // 2
        if end > time:
            return
        self.now = time
        entry = blossom.edge
        self._set_label(blossom, FREE)
        for part in blossom.parts:
            part.parent = None
            part.since = time
            for each in part.leaves:
                self.top[each] = part
        self._relabel(blossom, entry)

    def _relabel(self, blossom: Blossom, entry: Edge) -> None:
        """Label the parts between the entry and the base of what was a blossom; the others are free."""
        parts, links = blossom.parts, blossom.links
        at, count = parts.index(self.top[entry[1]]), len(parts)
        step = 1 if at % 2 else -1
        edge = entry
        while True:
            self._make_inner(parts[at % count], edge)
            if at % count == 0:
                break
            self._make_outer(parts[(at + step) % count])
            link = links[(at + step) % count] if step == 1 else links[(at - 2) % count][::-1]
            edge = (link[0], link[1])
            at += 2 * step
        for part in parts:
            if part.label == FREE:
                self._watch_from_outside(part)

    def _watch_from_outside(self, blossom: Blossom) -> None:
        for other in blossom.leaves:
            for one in self.graph[other]:
                if self.top[one].label == OUTER:
                    heappush(self.events, (self.now + self.slack(one, other), one, other))

    # ---- Matching along a path -------------------------------------------------------------------

    def _augment(self, one: int, other: int) -> None:
        """Match the ends of an edge to an unmatched blossom, and change partners from there to the root."""
        self._rebase(self.top[other], other)
        self.partner[other] = one
        while True:
            outer = self.top[one]
            inner = self._up(outer)
            self._rebase(outer, one)
            self.partner[one] = other
            if inner is None:
                return
            above, below = inner.edge
            self._rebase(inner, below)
            self.partner[below] = above
            one, other = above, below

    def _rebase(self, blossom: Blossom, vertex: int) -> None:
        """Change partners within a blossom so that a vertex becomes its base."""
        if not blossom.parts:
            return
        part = self._part_with(blossom, vertex)
        self._rebase(part, vertex)
        parts, links = blossom.parts, blossom.links
        at = parts.index(part)
        blossom.parts = parts[at:] + parts[:at]
        blossom.links = links[at:] + links[:at]
        for number in range(1, len(parts), 2):
            one, other = blossom.links[number]
            self._rebase(blossom.parts[number], one)
            self._rebase(blossom.parts[number + 1], other)
            self.partner[one], self.partner[other] = other, one
        blossom.base = vertex

    def _part_with(self, blossom: Blossom, vertex: int) -> Blossom:
        part = self.singles[vertex]
        while part.parent is not blossom:
            assert part.parent is not None
            part = part.parent
        return part

    # ---- The proof -------------------------------------------------------------------------------

    def shared_weights(self, vertex: int) -> list[int]:
        """Return for each vertex the weight of the blossoms that hold it and the given one."""
        shared = [0] * len(self.graph)
        inside = self.singles[vertex]
        for blossom in _around(inside):
            weight = blossom.weight + sum(each.weight for each in _around(blossom))
            for part in blossom.parts if weight else ():
                if part is not inside:
                    for other in part.leaves:
                        shared[other] = weight
            inside = blossom
        return shared


def _around(blossom: Blossom) -> Iterator[Blossom]:
    """Yield the blossoms that hold a blossom, the smallest first."""
    while blossom.parent is not None:
        blossom = blossom.parent
        yield blossom
