"""The hash chain of both logs, as specified in ``docs/log.md``; and ids in the order of time."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from games.engine.jsontypes import Json, JsonObject

ORIGIN = "0" * 64
ENCODER: Final = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical(value: Json) -> bytes:
    """Return the canonical text of a JSON value: UTF-8, keys sorted by code point, no spaces.

    Raises ValueError for a float, which has no canonical text.
    """
    _refuse_floats(value)
    return ENCODER.encode(value).encode()


def _refuse_floats(value: object) -> None:
    if isinstance(value, float):
        raise ValueError("a log holds no floats")
    if isinstance(value, dict):
        for part in value.values():
            _refuse_floats(part)
    elif isinstance(value, list | tuple):
        for part in value:
            _refuse_floats(part)


def link(previous: str, entry: JsonObject) -> str:
    """Return the hash of an entry: SHA-256 over the previous hash (32 bytes) and the entry's canonical JSON.

    ``previous`` is 64 hex digits, `ORIGIN` for the first entry; ``entry`` is without its ``hash``.
    """
    return hashlib.sha256(bytes.fromhex(previous) + canonical(entry)).hexdigest()


def stamp(at: datetime) -> str:
    """Return a UTC time as logs write it: ``2026-11-21T09:30:00.123456Z``."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# ---- Ids: UUIDs of version 7 (RFC 9562, section 5.7) ---------------------------------------------

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
