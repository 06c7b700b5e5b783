"""One web process on a listening socket that it inherits: `python -m league.house.web DESCRIPTOR`."""

import socket
import sys

import uvicorn

from league.house import ready

# How long an open stream may delay a stop.
_GRACE_SECONDS = 3


class Server(uvicorn.Server):
    """A uvicorn that tells the supervisor when it serves."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept."""
        await super().startup(sockets)
        ready.tell()


def configuration() -> uvicorn.Config:
    """Return how uvicorn serves: Django writes the request log, and the proxy in front is the local one."""
    return uvicorn.Config(
        "league.asgi:application",
        access_log=False,
        lifespan="off",
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )


if __name__ == "__main__":
    Server(configuration()).run([socket.socket(fileno=int(sys.argv[1]))])
