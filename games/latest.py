"""What a cache of the latest states of logs holds; it is bounded, and never trusted over a log."""

from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

S = TypeVar("S")


@dataclass
class Latest(Generic[S]):
    """The latest state of a stream that this process has seen, with the number and hash of its last entry.

    It is used only if the log has that hash, and brought forward by the entries since. An ``lru_cache``
    around this class holds it; ``kept`` is replaced whole, so that threads need no lock.
    """

    stream: UUID
    kept: tuple[int, str, S] | None = None
