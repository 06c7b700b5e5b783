"""A web server for tests: it records what this site sends, and responds as asked."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests import patience


@dataclass
class Told:
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Listener:
    """Where it listens, what it received, and what it answers: code, body and how long it thinks first."""

    url: str = ""
    code: int = 204
    body: bytes = b""
    location: str = ""
    retry_after: str = ""
    endless: float | None = None
    """The seconds after which the body is sent again, and again."""
    pause: threading.Event = field(default_factory=threading.Event)
    """Set: answer at once."""
    received: list[Told] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0


@contextmanager
def listening(tls: ssl.SSLContext | None = None) -> Iterator[Listener]:
    """Listen on a free port of this machine, by TLS where a context is given."""
    listener = Listener()
    listener.pause.set()
    counting, ended = threading.Lock(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with counting:
                listener.at_once += 1
                listener.most_at_once = max(listener.most_at_once, listener.at_once)
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            listener.received.append(Told(self.path, dict(self.headers), body))
            listener.pause.wait(patience.SECONDS)
            with counting:
                listener.at_once -= 1
            self.send_response(listener.code)
            if listener.location:
                self.send_header("Location", listener.location)
            if listener.retry_after:
                self.send_header("Retry-After", listener.retry_after)
            if listener.endless is None:
                self.send_header("Content-Length", str(len(listener.body)))
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(listener.body)
                while listener.endless is not None and not ended.wait(listener.endless):
                    self.wfile.write(listener.body)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    listener.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/hook?key=kept"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield listener
    listener.pause.set()
    ended.set()
    server.shutdown()
    server.server_close()
