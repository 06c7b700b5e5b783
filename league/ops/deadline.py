"""When the work that a thread does must be done: each wait for the database ends by then."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_end: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give the block so many seconds, or what an outer block has left."""
    end = time.monotonic() + seconds
    before = _end.get()
    token = _end.set(end if before is None else min(before, end))
    try:
        yield
    finally:
        _end.reset(token)


def left() -> float | None:
    """Return the seconds that are left, None without a deadline; at least a moment."""
    end = _end.get()
    return None if end is None else max(end - time.monotonic(), 0.001)
