"""Tables of two at the least total cost: an exact minimum, by maximum-weight matching."""

from itertools import combinations

from games.engine.chance import Chance
from league.core.drawing.least_cost import Costs, Tables


def best_pairs(costs: Costs, chance: Chance) -> Tables:
    """Return an even number of entries in pairs of the least total cost; the seed decides between equals."""
    # Only this needs the library: a log is folded and ranked with nothing but Python.
    import rustworkx

    order = chance.shuffled("pairing", range(len(costs.meeting)))
    highest = 1 + max(map(max, costs.meeting), default=0)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(order)
    graph.add_edges_from(
        [
            (one, other, highest - costs.meeting[order[one]][order[other]])
            for one, other in combinations(range(len(order)), 2)
        ]
    )
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted(sorted((order[one], order[other])) for one, other in matching)
