"""One web process on an inherited listening socket: `python -m league.ops.web DESCRIPTOR`."""

import socket
import sys

import uvicorn

from league.ops.readiness import signal_ready

# How long an open stream may delay a stop.
_GRACE_SECONDS = 3


class Server(uvicorn.Server):
    """A uvicorn server that signals to the supervisor when it serves."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        signal_ready()


def configuration() -> uvicorn.Config:
    """Return uvicorn's configuration. Django writes the request log."""
    return uvicorn.Config(
        "league.ops.asgi:application",
        access_log=False,
        lifespan="off",
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )


if __name__ == "__main__":
    Server(configuration()).run([socket.socket(fileno=int(sys.argv[1]))])
