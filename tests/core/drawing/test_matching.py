"""Matchings and pairings are the cheapest there are, and prove it by their duals."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.chance import Chance
from league.core.drawing.least_cost import Costs
from league.core.drawing.matching import Graph, Matching
from league.core.drawing.pairing import best_pairs


def graph(count: int, costs: dict[tuple[int, int], int]) -> Graph:
    rows: list[dict[int, int]] = [{} for _ in range(count)]
    for (one, other), cost in costs.items():
        rows[one][other] = rows[other][one] = cost
    return rows


def cost_of(rows: Graph, matching: Matching) -> int:
    return sum(rows[one][other] for one, other in enumerate(matching.partner)) // 2


def cheapest(rows: Graph) -> int | None:
    """The least cost of all perfect matchings, None where there is none."""
    pairings = (
        [rows[one].get(other) for one, other in zip(order[::2], order[1::2], strict=True)]
        for order in permutations(range(len(rows)))
    )
    sums = [sum(cost for cost in each if cost is not None) for each in pairings if None not in each]
    return min(sums, default=None)


PAIRS_OF_SIX = list(combinations(range(6), 2))
WEIGHTS = st.lists(st.integers(0, 9), min_size=15, max_size=15)


@given(WEIGHTS, st.sets(st.sampled_from(PAIRS_OF_SIX)))
@settings(max_examples=150)
def test_a_matching_costs_as_little_as_any(weights: list[int], without: set[tuple[int, int]]) -> None:
    costs = dict(zip(PAIRS_OF_SIX, weights, strict=True))
    rows = graph(6, {pair: cost for pair, cost in costs.items() if pair not in without})
    expected = cheapest(rows)
    if expected is None:
        with pytest.raises(ValueError, match="no perfect matching"):
            Matching(rows)
    else:
        assert cost_of(rows, Matching(rows)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_the_duals_of_a_bigger_matching_prove_it(seed: int) -> None:
    chance, count = Chance(bytes([seed])), 30 + 2 * seed
    levels = [chance.below(f"level {one}", 12) for one in range(count)]
    costs = {
        (one, other): (levels[one] - levels[other]) ** 2 + 1000 * (chance.below(f"{one} {other}", 3) == 0)
        for one, other in combinations(range(count), 2)
    }
    rows = graph(count, costs)
    matching = Matching(rows)
    shared = [matching.shared_weights(one) for one in range(count)]
    slack = {
        (one, other): 2 * cost - matching.value[one] - matching.value[other] + shared[one][other]
        for (one, other), cost in costs.items()
    }
    assert min(slack.values()) == 0
    assert not any(slack[min(pair), max(pair)] for pair in enumerate(matching.partner))
    assert all(matching.partner[other] == one for one, other in enumerate(matching.partner))


def test_pairings_of_equal_cost_are_decided_by_the_seed() -> None:
    nothing = Costs([[0] * 8 for _ in range(8)], [0] * 8)
    found = {str(best_pairs(nothing.meeting, Chance(bytes([seed])))) for seed in range(40)}
    assert len(found) > 25
    assert str(best_pairs(nothing.meeting, Chance(b"\1"))) in found


def test_no_lots_outweigh_a_difference_of_cost() -> None:
    costs = [[0 if {one, other} == {0, 1} else 1 for other in range(8)] for one in range(8)]
    found = [best_pairs(costs, Chance(bytes([seed]))) for seed in range(40)]
    assert all([0, 1] in pairs for pairs in found)


def test_the_dearest_of_all_pairs_are_found_where_the_cheap_ones_do_not_fit() -> None:
    """Two odd camps that cost nothing within: one pair must cross, however cheap the others are."""
    camps = [[0 if (one < 21) == (other < 21) else 9 for other in range(42)] for one in range(42)]
    pairs = best_pairs(camps, Chance(b"camps"))
    assert sum((one < 21) != (other < 21) for one, other in pairs) == 1
