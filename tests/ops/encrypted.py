"""Servers that are reached by TLS alone: a front before each, with certificates of an authority made here."""

import asyncio
import ssl
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Final

from tests import patience

_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2")
_CHUNK: Final = 65536
_ASKS: Final = bytes.fromhex("0000000804d2162f")
"""With this a client of PostgreSQL asks for TLS."""


@dataclass(frozen=True)
class Authority:
    """An authority, in a folder of its own, that signs certificates for 127.0.0.1."""

    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "ca.pem"

    def context(self) -> ssl.SSLContext:
        """Return what a server with a certificate of this authority needs."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "host.pem", self.folder / "host.key")
        return context


def authority(folder: Path) -> Authority:
    """Return a new authority."""
    folder.mkdir(mode=0o755)
    own = ("-subj", "/CN=the authority of a test", "-keyout", "ca.key", "-out", "ca.pem")
    _openssl(folder, "req", "-x509", *_KEY, *own)
    signed = ("-CA", "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=a host", "-addext")
    files = ("-keyout", "host.key", "-out", "host.pem")
    _openssl(folder, "req", "-x509", *_KEY, *signed, "subjectAltName=IP:127.0.0.1", *files)
    return Authority(folder)


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


class Front:
    """A port of this host that speaks TLS, and a server's unix socket behind it; plain clients are dropped.

    PostgreSQL's clients ask for TLS ``first``, others begin with it.
    """

    def __init__(self, server: str, made: Authority, *, first: bool = False) -> None:
        self._server, self._context, self._first = server, made.context(), first
        self._ready, self._closed = Event(), asyncio.Event()
        self.port = 0
        self.connections = 0
        """How many have come by TLS."""
        self._thread = Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(patience.SECONDS)

    def close(self) -> None:
        """Take no more connections, and end those that there are."""
        self._loop.call_soon_threadsafe(self._closed.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, context = asyncio.get_running_loop(), None if self._first else self._context
        async with await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=context) as listening:
            self.port = listening.sockets[0].getsockname()[1]
            self._ready.set()
            await self._closed.wait()
            # The loop waits for all that it has cancelled.
            listening.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            if self._first:
                assert await reader.readexactly(len(_ASKS)) == _ASKS, "a client came without TLS"
                writer.write(b"S")
                await writer.start_tls(self._context)
            self.connections += 1
            from_server, to_server = await asyncio.open_unix_connection(self._server)
            await asyncio.gather(_pass(reader, to_server), _pass(from_server, writer))


async def _pass(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await source.read(_CHUNK):
            target.write(some)
            await target.drain()
    target.close()
