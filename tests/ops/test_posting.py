"""Requests to addresses that users choose: no private networks, a time limit, no redirects."""

import ipaddress
import json
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from league.ops import posting
from tests import patience
from tests.listener import Listener, listening

TLS: Final = Path(__file__).parent / "tls"


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700:4700::1111", True),
        ("64:ff9b::808:808", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.5.4", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("2001:0:7f00:1::", False),
        ("fec0::1", False),
        ("192.88.99.1", False),
        ("192.0.0.9", False),
        ("64:ff9b:1::1", False),
        ("2001:20::1", False),
        ("3fff::1", False),
        ("5f00::1", False),
        ("100::1", False),
        ("::8.8.8.8", False),
    ],
)
def test_a_wrapped_private_address_is_private(address: str, public: bool) -> None:
    assert posting.is_public(ipaddress.ip_address(address)) is public


@pytest.mark.parametrize(
    "url",
    [
        "",
        "club.example/hook",
        "http://club.example/hook",
        "ftp://club.example/",
        "https:///hook",
        "https://user:password@club.example/",
        "https://club.example/#part",
        "https://club.example:99999/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://localhost/",
        "https://printer.local/",
        "https://metadata.google.internal/",
        "https://\x00.example/",
        *("https://club.example:0/", "https://club.example:/", "https://club.example:+443/"),
        *("https://club.example:４４３/", "https://@club.example/", "https://club.example#"),
        *("https://club.example\\x", "https://club.example\\@evil.example/"),
        *(
            " https://club.example/",
            "https://club.example/ ",
            "https://clu b.example/",
            "https://club.example/\tx",
        ),
        *(
            "https://club.example./",
            "https://localhost./",
            "https://.club.example/",
            "https://club..example/",
        ),
        *(
            "https://127.1/",
            "https://127.0.0.1./",
            "https://0x7f.1/",
            "https://club.0x7f/",
            "https://[fe80::1%25a]/",
        ),
        *(
            "https://example。com/",
            "https://ⓖⓞ.example/",
            "https://exa\u00admple.com/",
            "https://%63lub.example/",
            "https://ex\u0430mple.com/",
            "https://club.\u03bfslo.example/",
        ),
        *("https://club.example,evil.example/", "https://*.example/", "https://-club.example/"),
        *("https:club.example/", f"https://{'a' * 64}.example/", f"https://{'a.' * 126}example/"),
    ],
    ids=ascii,
)
def test_forbidden_addresses_are_refused(url: str) -> None:
    with pytest.raises(posting.Unreachable):
        posting.check(url, private=False)


@pytest.mark.parametrize(
    "url",
    [
        *("https://club.example/hook?key=1", "https://8.8.8.8:8443/", "https://bücher.example"),
        *("https://клуб.example/", "https://club-クラブ2.example/", "https://αθήνα.bücher.example/"),
        *(
            "HTTPS://CLUB.EXAMPLE/",
            "https://xn--bcher-kva.example?x=1",
            "https://[2606:4700:4700::1111]:443/",
        ),
    ],
    ids=ascii,
)
def test_a_public_address_is_accepted(url: str) -> None:
    assert posting.allowed(url, private=False).host


def test_a_message_is_delivered_and_the_response_returned(listener: Listener) -> None:
    listener.code, listener.body = 202, "thänk\x00s".encode()
    answer = posting.post(listener.url, b"{}", {"X-Told": "yes"}, private=True)
    assert (answer, answer.taken) == (posting.Answer(202, "thänk\x00s".encode()), True)
    assert answer.excerpt == "thänk s"
    (shown,) = listener.received
    assert (shown.path, shown.body, shown.headers["X-Told"]) == ("/hook?key=kept", b"{}", "yes")
    assert shown.headers["Host"] == listener.url.split("/")[2]


def test_redirects_are_not_followed(listener: Listener) -> None:
    listener.code, listener.location = 307, "/elsewhere"
    assert not posting.post(listener.url, b"", {}, private=True).taken
    assert [each.path for each in listener.received] == ["/hook?key=kept"]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("120", 120), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("soon", None), ("-5", None), ("", None)],
)
def test_a_response_may_ask_for_patience(listener: Listener, said: str, seconds: int | None) -> None:
    listener.code, listener.retry_after = 503, said
    assert posting.post(listener.url, b"", {}, private=True).retry_after == seconds


def test_a_long_response_is_cut(listener: Listener) -> None:
    listener.code, listener.body = 500, b"x" * 5_000_000
    assert posting.post(listener.url, b"", {}, private=True).excerpt == "x" * posting.EXCERPT


def test_a_server_that_does_not_respond_times_out(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "TOTAL_SECONDS", 0.3)
    listener.pause.clear()  # it answers once the test is over
    with pytest.raises(posting.Unreachable, match="no answer in time"):
        posting.post(listener.url, b"", {}, private=True)


def test_a_refused_connection_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        port = taken.getsockname()[1]
        with pytest.raises(posting.Unreachable, match="No connection"):
            posting.post(f"http://127.0.0.1:{port}/", b"", {}, private=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "::1", "169.254.169.254"])
def test_a_name_that_resolves_to_a_private_address_is_refused(
    listener: Listener, resolving: Callable[..., None], address: str
) -> None:
    resolving("8.8.8.8", address)
    with pytest.raises(posting.Unreachable, match="not on the public internet"):
        posting.post("https://club.example/", b"", {}, private=False)
    assert listener.received == []


def test_a_name_is_resolved_once_and_the_checked_addresses_are_used(
    listener: Listener, resolving: Callable[..., list[str]]
) -> None:
    asked = resolving("127.0.0.1")
    port = listener.url.split(":")[2].partition("/")[0]
    posting.post(f"http://club.example:{port}/hook", b"", {}, private=True)
    assert asked == ["club.example"]
    assert listener.received[0].headers["Host"] == f"club.example:{port}"


@pytest.mark.parametrize(("host", "held"), [("club.example", True), ("other.example", False)])
def test_a_certificate_is_checked_against_the_name_and_not_the_address(
    resolving: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, host: str, held: bool
) -> None:
    ours, theirs = ssl.create_default_context(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_verify_locations(TLS / "club.example.crt")
    theirs.load_cert_chain(TLS / "club.example.crt", TLS / "club.example.key")
    monkeypatch.setattr(posting, "_tls", lambda: ours)
    resolving("127.0.0.1")
    with listening(theirs) as listener:
        port = listener.url.split(":")[2].partition("/")[0]
        try:
            assert posting.post(f"https://{host}:{port}/", b"", {}, private=True).taken
        except posting.Unreachable as error:
            assert str(error) == "The host’s certificate is invalid."
        assert len(listener.received) == held


def test_what_the_operator_asks_is_answered_whole_or_not_at_all(listener: Listener) -> None:
    listener.code, listener.body = 200, b"{}"
    assert posting.ask(listener.url, seconds=patience.SECONDS, most=2) == b"{}"
    assert posting.ask(listener.url, {"size": 1}, seconds=patience.SECONDS, most=2) == b"{}"
    assert [json.loads(each.body or b"0") for each in listener.received] == [0, {"size": 1}]
    with pytest.raises(posting.Unreachable, match="more than 1 bytes"):
        posting.ask(listener.url, seconds=patience.SECONDS, most=1)
    listener.code, listener.location = 302, "/elsewhere"
    with pytest.raises(posting.Unreachable, match="status 302"):
        posting.ask(listener.url, seconds=patience.SECONDS, most=2)


@pytest.mark.parametrize(
    ("pause", "size", "seconds", "why"),
    [(0.0, 10_000, patience.SECONDS, "more than 1000 bytes"), (0.05, 1, 0.5, "no answer in time")],
)
def test_an_answer_without_an_end_ends_by_its_size_or_time(
    listener: Listener, pause: float, size: int, seconds: float, why: str
) -> None:
    listener.code, listener.body, listener.endless = 200, b"x" * size, pause
    with pytest.raises(posting.Unreachable, match=why):
        posting.ask(listener.url, seconds=seconds, most=1000)


@pytest.fixture
def resolving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """A function that lets every name lead to these addresses, and returns the names that are asked."""

    def resolve(*addresses: str) -> list[str]:
        asked: list[str] = []

        def found(host: Any, port: Any, *_: object, **__: object) -> list[Any]:
            if host in addresses:
                return [(socket.AF_INET6 if ":" in host else socket.AF_INET, 1, 6, "", (host, port))]
            asked.append(host)
            return [(socket.AF_INET, 1, 6, "", (address, port)) for address in addresses]

        monkeypatch.setattr(socket, "getaddrinfo", found)
        return asked

    return resolve
