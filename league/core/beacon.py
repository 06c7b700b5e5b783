"""The public beacon that draws can wait for: drand's network *quicknet*, with a value every three seconds.

Source: the parameters that its servers publish under ``/info``, https://docs.drand.love.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final

CHAIN: Final = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
GENESIS: Final = datetime.fromtimestamp(1_692_803_367, UTC)
PERIOD: Final = timedelta(seconds=3)
LEAD: Final = timedelta(seconds=30)
"""How long after a cut-off the beacon's round must lie, at least."""
FARTHEST: Final = timedelta(days=1)
"""How long after a cut-off the beacon's round may lie, at most."""
_WRITING: Final = timedelta(seconds=6)
"""How long the cut-off may take to be written."""


def time_of(number: int) -> datetime:
    """Return when a round of the beacon becomes known."""
    return GENESIS + (number - 1) * PERIOD


def round_for(now: datetime) -> int:
    """Return the beacon's round for a cut-off that is written now."""
    return -((GENESIS - now - LEAD - _WRITING) // PERIOD) + 1


def latest_round(now: datetime) -> int:
    """Return the last round that is due."""
    return (now - GENESIS) // PERIOD + 1


def value(signature: str) -> bytes:
    """Return the value of a round, 32 bytes, from its signature in hex digits; b"" without one."""
    return hashlib.sha256(bytes.fromhex(signature)).digest() if signature else b""
