"""What is answered where each message to or from the database fails, breaks off or hangs, one by one."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from django.db import OperationalError, close_old_connections, connection, transaction

from games.models import Game
from games.models.moves import Move
from games.prepared import one_row
from league.ops.database.base import DatabaseWrapper, deadline
from tests.api.web import bearer, move
from tests.factories import cast as a_cast
from tests.ops.link import Faults, to_the_database

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def link() -> Iterator[Faults]:
    with to_the_database(Faults) as link:
        yield link


FAULTS = ("cut", "fail", "hold")
_PATIENCE = 0.3
"""Seconds after which an answer that is held is no longer waited for."""
_APPEND = b"UPDATE games_game SET"
"""What is in the statement that writes a move, where the database is to plan it."""
_DRAW = {"type": "draw", "from": "deck"}


class Tables:
    """Games of Paul and Petra, whose first move is always the same."""

    def __init__(self) -> None:
        self._cast = a_cast()
        self._clients = [bearer(account) for account in (self._cast.paul, self._cast.petra)]
        for client in self._clients:
            client.raise_request_exception = False

    def opened(self) -> Game:
        """Return a new game."""
        return self._cast.game("scoops")

    def send(self, game: Game) -> int:
        """Send the move, and return the status of the answer."""
        return int(move(self._clients[game.awaited[0]], game, 2, _DRAW).status_code)


@contextmanager
def hurt(link: Faults) -> Iterator[None]:
    """Be impatient for a block in which a fault happens; after it all is as when a request begins."""
    try:
        with deadline(_PATIENCE):
            yield
    finally:
        link.arm()
        link.heal()
        close_old_connections()


@pytest.mark.long
def test_a_move_whose_messages_go_wrong_is_never_answered_as_made_and_then_gets_its_place(
    link: Faults,
) -> None:
    tables = Tables()
    game = tables.opened()
    connection.close()
    link.arm(since=_APPEND)
    assert tables.send(game) == 201
    for fault, at in product(FAULTS, range(len(link.seen))):
        game = tables.opened()
        connection.close()
        with hurt(link):
            link.arm(fault, at, _APPEND)
            assert tables.send(game) == 503, (fault, at)
        assert tables.send(game) in (200, 201)
        assert Move.objects.get(game=game, seq=2).move == _DRAW


def test_a_transaction_whose_commit_goes_wrong_is_an_error(link: Faults) -> None:
    for fault, at in product(FAULTS, range(3)):
        with pytest.raises(OperationalError), hurt(link), transaction.atomic():
            connection.cursor().execute("SELECT 1")
            link.arm(fault, at)
        assert one_row("SELECT 1", {}) == (1,)


def test_warnings_come_and_limits_hold_whatever_a_role_is_set_to() -> None:
    set_to = {
        "client_min_messages": "error",
        "statement_timeout": "9ms",
        "idle_in_transaction_session_timeout": "9ms",
    }
    others = DatabaseWrapper({**connection.settings_dict, "USER": "set_otherwise"}, "default")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_settings WHERE name = ANY(%s)", [[*set_to]])
        known = [name for (name,) in cursor.fetchall()]
        cursor.execute("CREATE ROLE set_otherwise LOGIN")
        try:
            for name in known:
                cursor.execute(f"ALTER ROLE set_otherwise SET {name} = '{set_to[name]}'")
            with others.cursor() as other:
                other.execute(
                    f"SELECT pg_sleep(0.03), {', '.join(map('current_setting(%r)'.__mod__, known))}"
                )
                found = dict(zip(known, other.fetchone()[1:], strict=True))
        finally:
            others.close()
            cursor.execute("DROP ROLE set_otherwise")
    assert [name for name in known if found[name].split(",")[0] == set_to[name]] == []
