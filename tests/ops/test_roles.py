"""The role of the service: it can play games, and neither change a log nor switch off what protects it."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from league.ops import prepare
from league.ops.servers import CannotServe
from tests.games.test_log import opened, timeouts

_ROLE = "trefoil-tested"
_ATTEMPTS = (
    "DROP TRIGGER {trigger} ON games_move",
    "ALTER TABLE games_move DISABLE TRIGGER ALL",
    "SET LOCAL session_replication_role = replica",
    "DELETE FROM games_move",
    "UPDATE games_move SET seq = 1",
    "TRUNCATE games_move",
    "DELETE FROM {partition}",
    "DROP TABLE {partition}",
    "DELETE FROM league_event",
    "CREATE TABLE mine (number integer)",
)


def first(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return str(cursor.fetchone()[0])


@pytest.mark.django_db
def test_the_role_of_the_service_plays_and_cannot_change_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        "trigger": first(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = 'games_move'::regclass AND NOT tgisinternal"
        ),
        "partition": first("SELECT relid FROM pg_partition_tree('games_move') WHERE isleaf LIMIT 1"),
    }
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE ROLE "{_ROLE}"')
        call_command("grant", _ROLE, verbosity=0)
        cursor.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        cursor.execute(f'SET LOCAL ROLE "{_ROLE}"')
        game = opened(2)
        timeouts(game, 1)
        # What the triggers can be told to ignore.
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", [f"{{{names['trigger']}}}"])
        for attempt in _ATTEMPTS:
            with pytest.raises(DatabaseError, match=r"permission denied|must be owner"), transaction.atomic():
                cursor.execute(attempt.format(**names))
        call_command("migrate", verbosity=0)  # nothing is to be done
        refused = transaction.atomic(lambda *_, **__: cursor.execute(_ATTEMPTS[-1]))
        monkeypatch.setattr(prepare, "call_command", refused)
        monkeypatch.setattr("league.ops.prepare.check", lambda: None)
        with pytest.raises(CannotServe, match="as the owner"), transaction.atomic():
            prepare.prepare(terminal=False)
