"""The hash chain of both logs, as specified in ``docs/log.md``."""

import hashlib
import json
from datetime import datetime
from typing import Final

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
