"""One web process on an inherited listening socket: `python -m league.ops.web DESCRIPTOR`."""

import asyncio
import os
import resource
import socket
import sys
from collections.abc import Sequence
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from league.ops import offload
from league.ops.processes import signal_ready

# How long requests have to be answered after a signal to stop; less than the supervisor waits.
_GRACE_SECONDS: Final = 15
_HEADER_SECONDS: Final = 10
_MOST_HEADER_BYTES: Final = 65_536
"""What may come of a request without its headers being whole, after the read in which they begin."""
_MOST_CONNECTIONS: Final = 8000
_TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n"
# Longer than any request should wait for the database; workers and commands have no limit.
_DATABASE_SECONDS: Final = "15"


class Protocol(HttpToolsProtocol):
    """HTTP with limits of time and size for a request's headers."""

    _patience: asyncio.TimerHandle | None = None
    _header_bytes = 0
    _cycles: Sequence[RequestResponseCycle] = ()
    """The requests that came on the connection and are not answered."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._got_headers()
        # The library tells only the request that came last; those before it are answered still.
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        waited = self._patience
        super().data_received(data)
        # In the read in which they begin, more may have come: a body, or another request.
        if self._patience is not None and self._patience is waited:
            self._header_bytes += len(data)
            if self._header_bytes > _MOST_HEADER_BYTES:
                self.transport.write(_TOO_LARGE)
                self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_headers()

    def on_headers_complete(self) -> None:
        self._got_headers()
        super().on_headers_complete()
        self._cycles = [*(cycle for cycle in self._cycles if not cycle.response_complete), self.cycle]

    def _await_headers(self) -> None:
        self._got_headers()
        self._header_bytes = 0
        self._patience = self.loop.call_later(_HEADER_SECONDS, self.transport.close)

    def _got_headers(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class Server(uvicorn.Server):
    """A uvicorn server that signals to the supervisor when it serves."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        signal_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams at once, so that only requests are waited for."""
        from league.ops import asgi  # loaded by now

        asgi.leave()
        await super().shutdown(sockets)


def configuration() -> uvicorn.Config:
    """Return uvicorn's configuration. Django writes the request log."""
    return uvicorn.Config(
        "league.ops.asgi:application",
        access_log=False,
        http=Protocol,
        lifespan="off",
        limit_concurrency=_MOST_CONNECTIONS,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )


def allow_connections() -> None:
    """Raise the number of files that the process may open to what the system allows."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    os.environ.setdefault("DATABASE_SECONDS", _DATABASE_SECONDS)
    allow_connections()
    config = configuration()
    config.load()
    if offload.POSSIBLE:
        offload.begin()
    # A thread that computes lets others go on sooner: a move goes from thread to thread several times.
    sys.setswitchinterval(0.001)
    Server(config).run([socket.socket(fileno=int(sys.argv[1]))])
