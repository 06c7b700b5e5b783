"""The whole server on its own port, as in production, for one test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import httpx
import uvicorn
from a2wsgi import WSGIMiddleware

from api.stream import Stream
from league.ops.asgi import pages
from tests import patience
from tests.api.web import ROOT


class Served(uvicorn.Server):
    """A uvicorn that says when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @property
    def address(self) -> str:
        port = self.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}{ROOT}"


@contextmanager
def server(application: Any) -> Iterator[str]:
    """Serve an ASGI application from a thread; yields the address of the API."""
    config = uvicorn.Config(application, port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    served = Served(config)
    thread = threading.Thread(target=served.run)
    thread.start()
    assert served.ready.wait(patience.SECONDS)
    try:
        yield served.address
    finally:
        served.should_exit = True
        thread.join(patience.SECONDS)
        assert not thread.is_alive()


def plain() -> Any:
    """Return Django on threads."""
    return WSGIMiddleware(cast("Any", pages), workers=4)


@contextmanager
def streaming(**settings: float) -> Iterator[str]:
    """Serve Django with live streams everywhere; for tests of streams alone."""
    with server(Stream(plain(), **settings)) as address:
        yield address


class Events:
    """What a client of server-sent events has received, event by event."""

    def __init__(self, answer: httpx.Response) -> None:
        self._lines = answer.iter_lines()

    def __iter__(self) -> Iterator[dict[str, str]]:
        event: dict[str, str] = {}
        for line in self._lines:
            if line:
                name, _, value = line.partition(":")
                event[name or "comment"] = value.strip()
            elif event:
                yield event
                event = {}

    def __next__(self) -> dict[str, str]:
        return next(iter(self))
