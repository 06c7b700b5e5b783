"""A server of a stream that says one thing and then nothing more, as one behind a network that was cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from playwright.sync_api import Page

_HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

_open_streams: WeakKeyDictionary[Page, list[socket.socket]] = WeakKeyDictionary()
"""A stream that nobody knows any more would be closed."""


@contextmanager
def silent_after(page: Page, streams: str, event: str, data: str) -> Iterator[None]:
    """Lead a page's streams to such a server; those that it has opened stay so afterwards."""
    open_streams = _open_streams.setdefault(page, [])

    def serve() -> None:
        while True:
            try:
                stream, _ = server.accept()
            except OSError:
                return
            open_streams.append(stream)
            stream.recv(65536)
            stream.sendall(_HEADERS + f"event: {event}\ndata: {data}\n\n".encode())

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        address = "http://{}:{}/".format(*server.getsockname())
        page.route(streams, lambda route: route.continue_(url=address))
        yield
        page.unroute(streams)
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
