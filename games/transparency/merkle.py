"""Merkle trees as in RFC 9162, section 2.1, with SHA-256: roots, proofs, and their verification."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

HASH_BYTES: Final = 32
EMPTY: Final = sha256().digest()
"""The root of a tree without leaves."""

Nodes: TypeAlias = Callable[[int, int], bytes]
"""Returns the root of the complete subtree of ``2**level`` leaves that is number ``index`` of its level."""


class WrongProof(Exception):
    """A proof that proves nothing; the message says why."""


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


# ---- Roots and proofs ----------------------------------------------------------------------------


def root(nodes: Nodes, size: int) -> bytes:
    """Return the root of the first ``size`` leaves."""
    return _root(nodes, 0, size) if size else EMPTY


def _root(nodes: Nodes, start: int, end: int) -> bytes:
    """Return the root of the leaves from ``start`` to ``end``, a range that a split of the tree gives."""
    width = end - start
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return nodes(level, start >> level)
    middle = start + _split(width)
    return node_hash(_root(nodes, start, middle), _root(nodes, middle, end))


def _split(size: int) -> int:
    """Return the largest power of two below a size of at least two."""
    return 1 << (size - 1).bit_length() - 1


def inclusion(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """Return the proof that leaf ``index`` is in the tree of ``size`` leaves, from the leaf upwards.

    Raises ValueError where there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"There is no leaf {index} in a tree of {size}.")
    path, start, end = list[bytes](), 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_root(nodes, middle, end))
            end = middle
        else:
            path.append(_root(nodes, start, middle))
            start = middle
    return path[::-1]


def consistency(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """Return the proof that the tree of ``second`` leaves begins with that of ``first``.

    Raises ValueError unless ``0 < first <= second``.
    """
    if not 0 < first <= second:
        raise ValueError(f"No tree of {second} leaves begins with one of {first}.")
    path, start, end, whole = list[bytes](), 0, second, True
    while first != end:
        middle = start + _split(end - start)
        if first <= middle:
            path.append(_root(nodes, middle, end))
            end = middle
        else:
            path.append(_root(nodes, start, middle))
            start, whole = middle, False
    if not whole:
        path.append(_root(nodes, start, end))
    return path[::-1]


# ---- Verification --------------------------------------------------------------------------------


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raise `WrongProof` unless a leaf's hash is number ``index`` in the tree (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        raise WrongProof(f"there is no leaf {index} in a tree of {size}")
    _check_lengths(leaf, root, *proof)
    node = leaf
    for left, sibling in _sides(index, size - 1, proof):
        node = node_hash(sibling, node) if left else node_hash(node, sibling)
    if node != root:
        raise WrongProof("the proof leads to another root")


def check_consistency(first: int, second: int, proof: Sequence[bytes], old: bytes, new: bytes) -> None:
    """Raise `WrongProof` unless the tree with root ``new`` begins with that with root ``old``.

    RFC 9162, 2.1.4.2.
    """
    if not 0 < first <= second:
        raise WrongProof(f"no tree of {second} leaves begins with one of {first}")
    _check_lengths(old, new, *proof)
    if first == second:
        if old != new:
            raise WrongProof(
                f"there are two different logs of {first} leaves: not everybody is shown the same"
            )
        if proof:
            raise WrongProof("two trees of one size need no proof")
        return
    start = [old] if first & (first - 1) == 0 else []
    if not proof:
        raise WrongProof("the proof is too short")
    _check_path(first - 1, second - 1, [*start, *proof], old, new)


def _check_path(place: int, last: int, path: Sequence[bytes], old: bytes, new: bytes) -> None:
    while place & 1:
        place, last = place >> 1, last >> 1
    before = after = path[0]
    for left, sibling in _sides(place, last, path[1:]):
        if left:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
        else:
            after = node_hash(after, sibling)
    if before != old:
        raise WrongProof("the proof leads to another root of the smaller tree")
    if after != new:
        raise WrongProof("the proof leads to another root of the larger tree")


def _sides(place: int, last: int, path: Sequence[bytes]) -> Iterator[tuple[bool, bytes]]:
    """Yield the siblings on the way to the root, each with whether it stands to the left."""
    for sibling in path:
        if last == 0:
            raise WrongProof("the proof is too long")
        left = bool(place & 1) or place == last
        yield left, sibling
        while left and not place & 1 and place:
            place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
    if last:
        raise WrongProof("the proof is too short")


def _check_lengths(*hashes: bytes) -> None:
    if any(len(each) != HASH_BYTES for each in hashes):
        raise WrongProof("a hash has not 32 bytes")
