"""The order in which a player sorted the hand."""

import pytest

from tests.scripts import node

KEPT = """
const store = { hand: given.kept && JSON.stringify(given.kept), "trefoil sort": given.by };
globalThis.localStorage = { getItem: (key) => store[key] ?? null };
return made.keptOrder("hand", given.names);
"""


@pytest.mark.parametrize(
    ("kept", "names", "places"),
    [
        (None, ["4C", "5C"], [0, 1]),
        (["5C", "4C"], ["4C", "5C"], [1, 0]),
        (["5C", "9H", "4C"], ["4C", "5C", "KS"], [1, 0, 2]),
        (["8D", "4C", "8D"], ["4C", "8D", "8D"], [1, 0, 2]),
    ],
    ids=["nothing kept", "sorted", "a card gone and a new one", "two equal cards"],
)
def test_the_hand_is_shown_in_the_order_that_was_kept(
    kept: list[str] | None, names: list[str], places: list[int]
) -> None:
    assert node.found("order.js", KEPT, {"kept": kept, "names": names}) == places


@pytest.mark.parametrize(
    ("by", "places"),
    [("suit", [4, 1, 0, 3, 2]), ("rank", [1, 3, 4, 0, 2])],
)
def test_a_new_hand_is_sorted_as_the_player_sorted_the_last_one(by: str, places: list[int]) -> None:
    names = [f"card:{code}" for code in ("AD", "2D", "JK", "9S", "TC")]
    given = {"kept": ["card:AD", "card:KS"], "by": by, "names": names}
    assert node.found("order.js", KEPT, given) == places
