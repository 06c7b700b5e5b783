"""Requests to the server: addresses, headers, content policy and static files."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest
import uvicorn
from django.templatetags.static import static
from django.test import Client
from uvicorn.server import ServerState

from league.ops import asgi, bounds, up, web
from tests import patience


def _raw(site: str, request: bytes) -> bytes:
    address = urlsplit(site)
    where = str(address.hostname), address.port or 80
    with socket.create_connection(where, timeout=patience.SECONDS) as connection:
        connection.sendall(request)
        return connection.recv(4096)


@pytest.mark.parametrize(
    "target",
    [
        b"/account/login/?q=\xff\xfe",
        b"/account/login/?q=%ff%00",
        b"/%ff",
        b"/%00",
        b"/account/login/?next=//x&q=\xc3\xa9",
    ],
)
def test_malformed_addresses_do_not_make_the_server_fail(site: str, target: bytes) -> None:
    answer = _raw(site, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.split(b" ")[1] in {b"200", b"400", b"404"}


def test_headers_without_an_end_are_refused(site: str) -> None:
    answer = _raw(site, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1_000_000)
    assert answer.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("before", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_body_that_comes_in_one_piece_with_its_headers_is_none_of_them(before: bytes) -> None:
    async def send() -> list[bytes]:
        transport, config = Mock(), uvicorn.Config(Mock(), http=web.Protocol, log_config=None, ws="none")
        transport.get_extra_info.return_value = None
        protocol = web.Protocol(config, ServerState(), {})
        protocol.connection_made(transport)
        body = b"a" * 200_000
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
        protocol.data_received(before + head + body)
        protocol.data_received(b"GET / HT")
        protocol.connection_lost(None)
        return [call.args[0] for call in transport.write.call_args_list]

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, send()).result() == []


@pytest.mark.parametrize("path", [b"/healthz", b"/api/v1/games/"])
@pytest.mark.parametrize(
    ("version", "hosts", "status"),
    [(b"1.0", 0, 200), (b"1.1", 0, 400), (b"1.1", 1, 200), (b"1.1", 2, 400), (b"1.0", 2, 400)],
)
def test_a_request_names_one_host(site: str, path: bytes, version: bytes, hosts: int, status: int) -> None:
    named = b"Host: localhost\r\n" * hosts + b"Connection: close\r\n\r\n"
    answer = _raw(site, b"GET " + path + b" HTTP/" + version + b"\r\n" + named)
    assert (b" 400 " in answer.splitlines()[0]) == (status == 400)


def test_requests_in_one_go_whose_connection_is_lost_are_no_errors(caplog: pytest.LogCaptureFixture) -> None:
    async def lost() -> None:
        may_answer, transport = asyncio.Event(), Mock()
        transport.get_extra_info.return_value = None

        async def app(_scope: Any, _receive: Any, send: Any) -> None:
            await may_answer.wait()
            await bounds.answer(send, HTTPStatus.OK, {}, b"")

        config = uvicorn.Config(app, http=web.Protocol, log_config=None, ws="none")
        protocol = web.Protocol(config, ServerState(), {})
        protocol.connection_made(transport)
        protocol.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        transport.write.side_effect = RuntimeError("the handler is closed")
        protocol.connection_lost(ConnectionResetError())
        may_answer.set()
        await asyncio.gather(*protocol.tasks)

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, lost()).result()
    assert caplog.records == []


def test_headers_with_underscores_are_dropped() -> None:
    scope = {
        "type": "http",
        "headers": [(b"x_forwarded_proto", b"https"), (b"accept", b"*/*")],
        "query_string": b"q=\xc3\xa9",
    }
    tidied = asgi._for_wsgi(scope)
    assert tidied["headers"] == [(b"accept", b"*/*")]
    assert tidied["query_string"] == b"q=%C3%A9"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", f"/api/v1/games/{UUID(int=0)}/"])
def test_a_wrong_host_is_one_line_of_the_log_without_a_traceback(
    path: str, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["cards.example"]
    assert Client(raise_request_exception=False).get(path, HTTP_HOST="evil.example").status_code == 400
    (record,) = (each for each in caplog.records if each.name == "django.security.DisallowedHost")
    assert "evil.example" in record.getMessage()
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert "Traceback" not in caplog.text


@pytest.mark.django_db
def test_a_wrong_host_is_told_in_the_language_of_the_browser(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["cards.example"]
    browser = Client(raise_request_exception=False, headers={"Accept-Language": "de"})
    page = browser.get("/", HTTP_HOST="192.0.2.7:8000").content.decode()
    assert "192.0.2.7:8000" in page and "ALLOWED_HOSTS" in page and "Diese Seite" in page


def test_a_server_on_all_addresses_names_those_that_browsers_reach() -> None:
    with up.listening("0.0.0.0", 0) as listener:
        hosts = up.reached_at(listener)
    assert hosts[-1] == "127.0.0.1" and "0.0.0.0" not in hosts


def test_pages_and_the_desk_have_the_same_strict_content_policy(site: str) -> None:
    answers = (httpx.get(f"{site}{path}", timeout=patience.SECONDS) for path in ("/", "/admin/"))
    page, desk = (answer.headers["Content-Security-Policy"] for answer in answers)
    assert "default-src 'self'" in page
    assert "unsafe" not in page
    assert desk == page


def test_static_files_are_served_without_collectstatic(site: str) -> None:
    answer = httpx.get(f"{site}{static('admin/css/base.css')}", timeout=patience.SECONDS)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, 'text/css; charset="utf-8"')
