"""The database behind a pooler in transaction mode, where each transaction may have another session."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, connections

from games import exports, log
from games.models import Game
from league.ops import environment
from league.ops.database.base import DatabaseWrapper
from tests.games.test_log import opened, timeouts
from tests.ops import pgbouncer

_MOVES = 12
"""More than after which psycopg prepares a statement, in each of two connections."""


_PATIENCE = 60
"""Seconds for the last notification, which PostgreSQL delivers after the commit that it tells of."""


@contextmanager
def clients(url: str, number: int) -> Iterator[list[DatabaseWrapper]]:
    """Yield connections to the pooler as settings with DATABASE_DIRECT_URL make them."""
    usual: Any = connection.settings_dict
    found = environment.behind_pooler(environment.database(url), usual)
    found["OPTIONS"] = {"prepare_threshold": 5, **found["OPTIONS"]}
    with ExitStack() as stack:
        made = [DatabaseWrapper({**usual, **found}, "default") for _ in range(number)]
        for each in made:
            stack.callback(each.close)
        yield made


@contextmanager
def used(client: DatabaseWrapper) -> Iterator[None]:
    """Let Django use a connection."""
    before = connections["default"]
    connections["default"] = client
    try:
        yield
    finally:
        connections["default"] = before


@pytest.mark.django_db(transaction=True)
def test_games_are_played_read_and_heard_of_through_a_pooler(data: Path) -> None:
    game = opened(2)
    with pgbouncer.running(data) as server, clients(server.url, 2) as both:
        with psycopg.connect(**both[0].direct_parameters(), autocommit=True) as heard:
            heard.execute(f"LISTEN {log.channel_of(game.pk)}")
            for number in range(_MOVES):
                with used(both[number % 2]):
                    timeouts(game, 1)
            game.refresh_from_db()
            told = [each.payload.split()[0] for each in heard.notifies(timeout=_PATIENCE, stop_after=_MOVES)]
        assert told == [str(game.pk)] * _MOVES
        with used(both[0]):
            # Lines are read one by one, outside of any transaction.
            lines = exports.lines(game)
            first = next(iter(lines))
            assert [*Game.objects.iterator()] == [game]
            assert (first, len([*lines])) == (next(iter(exports.lines(game))), game.seq - 1)


def test_limits_that_the_server_keeps_are_asked_for_past_the_pooler_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_SECONDS", "15")
    with clients("postgresql://a@pooler/trefoil", 1) as (client,):
        assert "options" not in client.get_connection_params()
        direct = client.direct_parameters()
    assert "statement_timeout=15s" in direct["options"]
    assert (direct["host"], direct["prepare_threshold"]) == (connection.settings_dict["HOST"], 5)
