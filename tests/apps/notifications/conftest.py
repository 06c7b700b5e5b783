"""Push services for tests: one that answers as it is told, and one that is reached by TLS."""

import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from league.ops import posting
from league.ops.posting import Answer, Unreachable
from tests.listener import Listener, listening

TLS: Final = Path(__file__).parents[2] / "ops" / "tls"
Answers = Callable[[int | None], list[tuple[str, bytes, dict[str, str]]]]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """A push service that answers with a code, or not at all, and keeps what it got."""

    def answering(code: int | None) -> list[tuple[str, bytes, dict[str, str]]]:
        got: list[tuple[str, bytes, dict[str, str]]] = []

        def post(url: str, body: bytes, headers: dict[str, str], *, private: bool) -> Answer:
            assert not private
            got.append((url, body, headers))
            if code is None:
                raise Unreachable("no")
            return Answer(code, b"")

        monkeypatch.setattr(posting, "post", post)
        return got

    return answering


@pytest.fixture
def public_host(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Listener, str]]:
    """A push service at a public address, reached by TLS, with the address of a browser there."""
    ours, theirs = ssl.create_default_context(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_verify_locations(TLS / "club.example.crt")
    theirs.load_cert_chain(TLS / "club.example.crt", TLS / "club.example.key")
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
    monkeypatch.setattr(posting, "_tls", lambda: ours)
    monkeypatch.setattr(posting, "is_public", lambda _address: True)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with listening(theirs) as listener:
        port = listener.url.split(":")[2].partition("/")[0]
        yield listener, f"https://club.example:{port}/send/abc"
