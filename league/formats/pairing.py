"""Duels of least cost: an exact minimum, by maximum-weight matching."""

from itertools import combinations

from games.engine.chance import Chance
from league.formats.seating import Costs, Tables


def best_pairs(costs: Costs, chance: Chance) -> Tables:
    """Return everybody in pairs of the least total cost; between equal totals the seed decides.

    The number of entries is even.
    """
    # Only drawing duels needs this library: a log is folded and ranked with nothing but Python.
    import rustworkx

    order = chance.shuffled("pairing", range(len(costs.meeting)))
    dearest = 1 + max(map(max, costs.meeting), default=0)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(order)
    graph.add_edges_from(
        [
            (one, other, dearest - costs.meeting[order[one]][order[other]])
            for one, other in combinations(range(len(order)), 2)
        ]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted(sorted((order[one], order[other])) for one, other in found)
