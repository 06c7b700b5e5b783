"""Whether a child process serves, still answers, and what its probes say, without waiting for any of it."""

import asyncio
import os
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

# ---- Pulse ---------------------------------------------------------------------------------------

QUESTIONS: Final = 4
"""How many questions in a row must have no answer: a server that is only slow answers one of them."""


class Pulse:
    """Asks a server one question after the other, each on a connection of its own."""

    def __init__(self, address: Path, question: bytes, seconds: float) -> None:
        """Give each question ``seconds``; after it the server is to close the connection."""
        self._address, self._question, self._seconds = address, question, seconds
        self.missed = 0
        """How many questions in a row had no answer."""
        self._ask()

    def feel(self, full: bytes = b"") -> None:
        """Read what has come, and ask again when it is time.

        An answer with ``full`` in it says that there is no room for the question, which tells nothing.
        """
        if not self._closed:
            with suppress(OSError):
                self._read()
        if time.monotonic() - self._asked_at < self._seconds:
            return
        if not (self._closed and self._heard):
            self.missed += 1
        elif not (full and full in self._heard):
            self.missed = 0
        self._socket.close()
        self._ask()

    def forget(self) -> None:
        """Ask no more."""
        self._socket.close()

    def _ask(self) -> None:
        self._asked_at = time.monotonic()
        self._heard, self._closed = b"", False
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.setblocking(False)
        with suppress(OSError):
            self._socket.connect(str(self._address))
            self._socket.sendall(self._question)

    def _read(self) -> None:
        while part := self._socket.recv(65536):
            self._heard += part
        self._closed = True


# ---- Readiness -----------------------------------------------------------------------------------

ALIVE = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
"""The addresses of probes: whether a process answers, whether the service works, and numbers."""
VARIABLE = "TREFOIL_READY_FD"


def signal_ready() -> None:
    """Signal to the supervisor, if there is one, that this process is ready."""
    descriptor = os.environ.pop(VARIABLE, None)
    if descriptor is not None:
        os.write(int(descriptor), b"1")
        os.close(int(descriptor))


# ---- Probes --------------------------------------------------------------------------------------

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
