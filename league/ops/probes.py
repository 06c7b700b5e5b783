"""Answers to probes: each check runs in a thread of its own, so that one that hangs keeps nobody waiting."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

_KEPT_SECONDS: Final = 2


class Check:
    """A function that may hang, called by one thread, at most once every two seconds."""

    def __init__(self, look: Callable[[], Any]) -> None:
        self._look = look
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="probe")
        self._running: asyncio.Future[Any] | None = None
        self._began = 0.0

    async def found(self, seconds: float) -> Any:
        """Return what the function returned; None where it takes longer: the next call then waits for it."""
        done = self._running is None or self._running.done()
        if done and time.monotonic() - self._began > _KEPT_SECONDS:
            self._began = time.monotonic()
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, self._look)
        assert self._running is not None
        finished, _ = await asyncio.wait({self._running}, timeout=seconds)
        return self._running.result() if finished else None
