"""Ids in the order of time: UUIDs of version 7 (RFC 9562, section 5.7)."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

RANDOM_BYTES: Final = 10
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TIME_BITS: Final = 48
_REST_BITS: Final = 128 - _TIME_BITS


def id_at(at: datetime, rest: bytes) -> UUID:
    """Return the id of a time, in milliseconds, and of 10 bytes, of which 74 bits are used.

    A time before 1970 counts as its beginning.
    """
    value = _first(at) | int.from_bytes(rest)
    version, variant = 7 << 76, 2 << 62
    return UUID(int=value & ~(0xF << 76) & ~(3 << 62) | version | variant)


def derived_id(at: datetime, name: str, order: int = 0) -> UUID:
    """Return the id of a time and a name, always the same one; those of one time are in order, up to 4095."""
    digest = hashlib.sha256(name.encode()).digest()[2:RANDOM_BYTES]
    return id_at(at, (order & 0xFFF).to_bytes(2) + digest)


def first_id(at: datetime) -> UUID:
    """Return the least id that a time can have, as the bound of a range of times."""
    return UUID(int=_first(at))


def time_in(pk: UUID) -> datetime:
    """Return the time that the first bits of an id hold, of whatever version; raises OverflowError."""
    return _EPOCH + timedelta(milliseconds=pk.int >> _REST_BITS)


def _first(at: datetime) -> int:
    return max(0, (at - _EPOCH) // timedelta(milliseconds=1)) << _REST_BITS
