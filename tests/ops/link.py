"""A link to a server that can be cut: connections stay open, and no byte comes through.

Or, with PostgreSQL, one that fails, breaks or holds at a message of a choice.
https://www.postgresql.org/docs/current/protocol-message-formats.html
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Final, TypeVar

import pytest
from django.db import connection

_CHUNK: Final = 65536
AnyLink = TypeVar("AnyLink", bound="Link")


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
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        self._passes.wait()
        host, port = self._server
        if host.startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{host}/.s.PGSQL.{port}")
        else:
            server = socket.create_connection((host, port))
        Thread(target=self._pass, args=("client", client, server), daemon=True).start()
        self._pass("server", server, client)

    def _pass(self, sender: str, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            for some in self._parts(sender, source):
                self._passes.wait()
                target.sendall(some)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _parts(self, sender: str, source: socket.socket) -> Iterator[bytes]:
        while some := source.recv(_CHUNK):
            yield some


class Faults(Link):
    """A link to PostgreSQL with a fault at one message, once it is armed: cut, fail, or hold."""

    def __init__(self, host: str, port: str) -> None:
        super().__init__(host, port)
        self.seen: list[str] = []
        """Who sent each message, with the letter of its kind, from the one that the link was armed for."""
        self._lock, self._released = Lock(), Event()
        self._fault, self._at, self._since = "", -1, b""

    def heal(self) -> None:
        """Let through what is held, too."""
        self._released.set()
        super().heal()

    def arm(self, fault: str = "", at: int = -1, since: bytes = b"") -> None:
        """Let a fault happen at the message of a number; 0 is the next one that has some bytes in it."""
        self.seen, self._fault, self._at, self._since = [], fault, at, since

    def _parts(self, sender: str, source: socket.socket) -> Iterator[bytes]:
        skips = False
        for kind, message in _messages(source, begins=sender == "client"):
            with self._lock:
                if self.seen or self._since in message:
                    self.seen.append(f"{sender} {kind.decode()}")
                fault = self._fault if len(self.seen) - 1 == self._at else ""
            if fault == "cut":
                return
            if fault == "hold":
                self._released.clear()
                self._released.wait()
            if fault == "fail" and sender == "client":
                source.sendall(_error("FATAL", "08P01"))  # as PgBouncer does when it has lost the server
                return
            if fault == "fail":
                yield _error("ERROR", "53100")
                skips = True
            skips = skips and kind != b"Z"
            if not skips:
                yield message


def _messages(source: socket.socket, *, begins: bool) -> Iterator[tuple[bytes, bytes]]:
    """Yield each message with the letter of its kind; what begins a connection has none."""
    with source.makefile("rb") as stream:
        while begun := stream.read(4 if begins else 5):
            yield begun[:-4], begun + stream.read(int.from_bytes(begun[-4:]) - 4)
            begins = False


def _error(severity: str, code: str) -> bytes:
    fields = b"".join(f"{each}\0".encode() for each in (f"S{severity}", f"V{severity}", f"C{code}", "Mfails"))
    return b"E" + (len(fields) + 5).to_bytes(4) + fields + b"\0"


@contextmanager
def to_the_database(kind: type[AnyLink]) -> Iterator[AnyLink]:
    """Let this process reach the tests' database over a link of a kind, in messages that can be read."""
    settings = connection.settings_dict
    link = kind(settings["HOST"], settings["PORT"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGSSLMODE", "disable")
        patch.setenv("PGGSSENCMODE", "disable")
        patch.setitem(settings, "HOST", "127.0.0.1")
        patch.setitem(settings, "PORT", link.port)
        connection.close()
        yield link
        link.heal()
        connection.close()
    link.close()
