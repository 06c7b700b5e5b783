"""The secrets of draws in tests, each found by its root."""

from functools import cache

from league.core.commitment import Tree
from league.core.state.competition import Competition
from league.core.state.cut_offs import Reveal

TREES: dict[str, Tree] = {}


@cache
def committed(number: int = 0) -> str:
    """Return the root of the secret with a number."""
    tree = Tree(number.to_bytes(32, "big"))
    TREES[tree.root] = tree
    return tree.root


def reveal_of(state: Competition) -> Reveal:
    """Return what is revealed with the draw whose cut-off is the last event."""
    assert state.pending
    tree, k = TREES[state.pending.root], state.pending.cut_off.k
    return Reveal(k, tree.preimage(k).hex(), tree.path(k))
