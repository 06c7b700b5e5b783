"""Trees and proofs of RFC 9162, with the test vectors of transparency-dev (see docs/licences.md)."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.transparency.merkle import (
    EMPTY,
    Nodes,
    WrongProof,
    check_consistency,
    check_inclusion,
    consistency,
    inclusion,
    leaf_hash,
    node_hash,
    root,
)

VECTORS: Any = json.loads(Path(__file__).with_name("vectors.json").read_text())
LEAVES = [leaf_hash(str(number).encode()) for number in range(70)]


def nodes_of(leaves: list[bytes]) -> Nodes:
    def node(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        return node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))

    return node


NODES = nodes_of(LEAVES)


def checked(kind: str, vector: Any) -> bool:
    def hashes(*names: str) -> list[bytes]:
        return [b64decode(vector[name] or "") for name in names]

    proof = [b64decode(each) for each in vector["proof"] or []]
    try:
        if kind == "inclusion":
            leaf, expected = hashes("leafHash", "root")
            check_inclusion(leaf, vector["leafIdx"], vector["treeSize"], proof, expected)
        else:
            check_consistency(vector["size1"], vector["size2"], proof, *hashes("root1", "root2"))
    except WrongProof:
        return False
    return True


@pytest.mark.parametrize("kind", ["inclusion", "consistency"])
def test_proofs_are_judged_as_in_the_vectors(kind: str) -> None:
    # Here a proof from an empty tree is refused, as RFC 9162 has none, and so is a root that is no hash.
    stricter = {"additional/sizes-are-equal-one-and-proof-is-empty"}
    wrong = {each["name"] for each in VECTORS[kind] if checked(kind, each) == each["wantErr"]}
    assert (len(VECTORS[kind]), wrong) == (98, stricter if kind == "consistency" else set())


def test_a_tree_without_leaves_has_the_hash_of_nothing() -> None:
    assert root(NODES, 0) == EMPTY
    assert EMPTY.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(st.integers(1, 70), st.data())
def test_every_leaf_is_proven_in_every_tree_and_in_no_other_place(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof, whole = inclusion(NODES, index, size), root(NODES, size)
    check_inclusion(LEAVES[index], index, size, proof, whole)
    other = data.draw(st.integers(0, size).filter(lambda each: each != index))
    with pytest.raises(WrongProof):
        check_inclusion(LEAVES[index], other, size, proof, whole)
    with pytest.raises(WrongProof):
        check_inclusion(leaf_hash(b"other"), index, size, proof, whole)


@given(st.integers(1, 70), st.data())
def test_every_tree_is_proven_to_begin_with_every_smaller_one(second: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, second))
    proof, old, new = consistency(NODES, first, second), root(NODES, first), root(NODES, second)
    check_consistency(first, second, proof, old, new)
    changed = data.draw(st.integers(0, first - 1))
    rewritten = nodes_of([*LEAVES[:changed], leaf_hash(b"changed"), *LEAVES[changed + 1 :]])
    with pytest.raises(WrongProof):
        check_consistency(first, second, consistency(rewritten, first, second), old, root(rewritten, second))


@pytest.mark.parametrize(("first", "second"), [(0, 3), (4, 3), (-1, 3)])
def test_no_consistency_is_proven_with_a_tree_that_is_not_smaller(first: int, second: int) -> None:
    with pytest.raises(ValueError, match="begins with"):
        consistency(NODES, first, second)


def test_no_leaf_beyond_the_tree_is_proven() -> None:
    with pytest.raises(ValueError, match="no leaf 3"):
        inclusion(NODES, 3, 3)
