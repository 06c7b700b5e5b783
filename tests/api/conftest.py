"""Fixtures of the API's tests: the cast, a quick game, and clients that send requests as an account."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

import league.tasks  # noqa: F401 - only a task that is known is done at once
from tests.api.desks import Desk
from tests.factories import Cast
from tests.league.conftest import cast, tally

__all__ = ["cast", "tally"]


@contextmanager
def on_one_connection() -> Iterator[None]:
    """Let the WSGI application work on the test's own transaction, as Django's test client does."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def one_connection(db: None) -> Iterator[None]:
    with on_one_connection():
        yield


@pytest.fixture
def desk(cast: Cast) -> Desk:
    """Return a competition of Paul against Petra, started and not drawn."""
    desk = Desk(cast)
    desk.enters([cast.paul_plays, cast.petra_plays])
    desk.does("start")
    return desk
