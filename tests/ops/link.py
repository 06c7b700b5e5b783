"""A link to a server that can be cut: connections stay open, and no byte comes through."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

_CHUNK: Final = 65536


class Link:
    """Passes bytes between a port of this host and a server."""

    def __init__(self, host: str, port: str) -> None:
        self._server = host, int(port or 5432)
        self._passes, self._listener = Event(), socket.create_server(("127.0.0.1", 0))
        self._passes.set()
        self.port = str(self._listener.getsockname()[1])
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Let nothing through any more."""
        self._passes.clear()

    def heal(self) -> None:
        """Let everything through again, also what was sent meanwhile."""
        self._passes.set()

    def close(self) -> None:
        """Take no more connections."""
        self.heal()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        self._passes.wait()
        host, port = self._server
        if host.startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{host}/.s.PGSQL.{port}")
        else:
            server = socket.create_connection((host, port))
        Thread(target=self._pass, args=(client, server), daemon=True).start()
        self._pass(server, client)

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while some := source.recv(_CHUNK):
                self._passes.wait()
                target.sendall(some)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@contextmanager
def linked(host: str, port: str) -> Iterator[Link]:
    """Provide a link to a server."""
    link = Link(host, port)
    try:
        yield link
    finally:
        link.close()
