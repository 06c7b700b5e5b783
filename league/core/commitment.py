"""What draws depend on by chance: a commitment to secret values, and the public beacon they can wait for.

The commitment is a Merkle tree of 4096 secret values, one of which gives a seed; docs/draws.md is the
specification. The beacon is drand's network *quicknet*, with a value every three seconds. Source: the
parameters that its servers publish under ``/info``, https://docs.drand.love.

Nothing here knows a competition.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

LEAVES: Final = 4096
DEPTH: Final = 12
SECRET_BYTES: Final = 32
EDITION: Final = b"trefoil/draw/1"
_INNER: Final = b"\x01"


@dataclass(frozen=True)
class Tree:
    """The tree of a server's secret of 32 bytes, which is in no text that is made of it."""

    secret: bytes = field(repr=False)

    def preimage(self, k: int) -> bytes:
        """Return x_k: HMAC-SHA-256 of k, as 4 bytes, under the secret."""
        return hmac.digest(self.secret, k.to_bytes(4, "big"), "sha256")

    @property
    def root(self) -> str:
        """Return the root, 64 hex digits."""
        return _levels(self)[-1][0].hex()

    def path(self, k: int) -> tuple[str, ...]:
        """Return the sibling of each hash from leaf k up to the root: 12 hashes of 64 hex digits."""
        return tuple(hashes[(k >> level) ^ 1].hex() for level, hashes in enumerate(_levels(self)[:DEPTH]))


# Every draw of a competition needs the same tree again, which takes 12,000 hashes and 700 kB.
@lru_cache(maxsize=4)
def _levels(tree: Tree) -> tuple[tuple[bytes, ...], ...]:
    """Return the hashes of each level, the leaves first, the root last."""
    level = tuple(_leaf(tree.preimage(k)) for k in range(LEAVES))
    levels = [level]
    while len(level) > 1:
        level = tuple(_inner(*level[at : at + 2]) for at in range(0, len(level), 2))
        levels.append(level)
    return tuple(levels)


def _leaf(preimage: bytes) -> bytes:
    return hashlib.sha256(preimage).digest()


def _inner(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node; the prefix keeps it apart from the 32 bytes under a leaf."""
    return hashlib.sha256(_INNER + left + right).digest()


def root_of(k: int, preimage: str, path: Sequence[str]) -> str:
    """Return the root to which the preimage of leaf k leads along a path; all in hex digits."""
    node = _leaf(bytes.fromhex(preimage))
    for level, sibling in enumerate(map(bytes.fromhex, path)):
        node = _inner(sibling, node) if k >> level & 1 else _inner(node, sibling)
    return node.hex()


def seed(preimage: bytes, cut_off: bytes, beacon: bytes = b"") -> bytes:
    """Return a draw's seed, 32 bytes, from the cut-off's canonical JSON and the beacon's value, if any."""
    return hmac.digest(preimage, EDITION + cut_off + beacon, "sha256")


# ---- The public beacon ---------------------------------------------------------------------------

CHAIN: Final = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
GENESIS: Final = datetime.fromtimestamp(1_692_803_367, UTC)
PERIOD: Final = timedelta(seconds=3)
LEAD: Final = timedelta(seconds=30)
"""How long after a cut-off the beacon's round must lie, at least."""
FARTHEST: Final = timedelta(days=1)
"""How long after a cut-off the beacon's round may lie, at most."""
_WRITING: Final = timedelta(seconds=6)
"""How long the cut-off may take to be written."""


def round_time(number: int) -> datetime:
    """Return when a round of the beacon becomes known."""
    return GENESIS + (number - 1) * PERIOD


def round_for(now: datetime) -> int:
    """Return the beacon's round for a cut-off that is written now."""
    return -((GENESIS - now - LEAD - _WRITING) // PERIOD) + 1


def latest_round(now: datetime) -> int:
    """Return the last round that is due."""
    return (now - GENESIS) // PERIOD + 1


def beacon_value(signature: str) -> bytes:
    """Return the value of a round, 32 bytes, from its signature in hex digits; b"" without one."""
    return hashlib.sha256(bytes.fromhex(signature)).digest() if signature else b""
