"""A host that is cut off from its database asks for patience, and is well as soon as the link is."""

import time
from collections.abc import Iterator

import pytest
from django.db import close_old_connections, connection
from django.test import Client

from tests.ops.link import Link, to_the_database

_SECONDS = 1
_AT_ONCE = 30.0
"""Seconds within which a busy machine answers what takes no time."""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def link() -> Iterator[Link]:
    with to_the_database(Link) as link:
        yield link


def seen(address: str) -> tuple[int, str, float]:
    """Return status, ``Retry-After`` and seconds of an answer to a request that begins as on a server."""
    # What Django does at the beginning of each request, but not for its test client.
    close_old_connections()
    began = time.monotonic()
    answer = Client(raise_request_exception=False).get(address)
    return answer.status_code, answer.headers.get("Retry-After", ""), time.monotonic() - began


def test_pages_ask_for_patience_while_the_host_is_cut_off_and_are_well_when_it_is_not(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_SECONDS", str(_SECONDS))
    connection.close()
    assert seen("/clubs/nobody/")[0] == 404
    link.cut()
    # The first request has an open connection, the second has to make one.
    for address in ("/clubs/nobody/", "/api/v1/clubs/nobody/"):
        status, retry, seconds = seen(address)
        assert (status, int(retry) > 0) == (503, True)
        assert seconds < 4 * _SECONDS + _AT_ONCE
    monkeypatch.delenv("DATABASE_SECONDS")  # a busy machine may need longer
    link.heal()
    status, _, seconds = seen("/clubs/nobody/")
    assert (status, seconds < _AT_ONCE) == (404, True)
