"""Whether a child process serves, and still answers, found out without waiting for it.

The supervisor, which stays small, imports this.
"""

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

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
