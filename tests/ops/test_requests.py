"""Requests to the server: addresses, headers, content policy and static files."""

import socket
from urllib.parse import urlsplit

import httpx
import pytest
from django.templatetags.static import static

from league.ops import asgi
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


def test_headers_with_underscores_are_dropped() -> None:
    scope = {
        "type": "http",
        "headers": [(b"x_forwarded_proto", b"https"), (b"accept", b"*/*")],
        "query_string": b"q=\xc3\xa9",
    }
    tidied = asgi._for_wsgi(scope)
    assert tidied["headers"] == [(b"accept", b"*/*")]
    assert tidied["query_string"] == b"q=%C3%A9"


def test_pages_and_the_desk_have_the_same_strict_content_policy(site: str) -> None:
    answers = (httpx.get(f"{site}{path}", timeout=patience.SECONDS) for path in ("/", "/admin/"))
    page, desk = (answer.headers["Content-Security-Policy"] for answer in answers)
    assert "default-src 'self'" in page
    assert "unsafe" not in page
    assert desk == page


def test_static_files_are_served_without_collectstatic(site: str) -> None:
    answer = httpx.get(f"{site}{static('admin/css/base.css')}", timeout=patience.SECONDS)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, 'text/css; charset="utf-8"')
