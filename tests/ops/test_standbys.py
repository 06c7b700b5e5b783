"""A commit whose wait for standbys is cancelled is an error, although PostgreSQL says that it is done."""

from collections.abc import Callable
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from league.ops import processes
from league.ops.database.base import Connection
from league.ops.postgres import Postgres
from tests import patience

_WAITS = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


def insert_alone(connection: Connection) -> None:
    connection.autocommit = True
    connection.execute("INSERT INTO entries VALUES (1)")


def insert_in_transaction(connection: Connection) -> None:
    connection.execute("INSERT INTO entries VALUES (2)")
    connection.commit()


def cancel(url: str) -> None:
    """Cancel the first wait for standbys that there is."""
    with psycopg.connect(url, autocommit=True) as other:
        processes.eventually(
            lambda: other.execute(_WAITS).fetchone() is not None, patience.SECONDS, every=0.05
        )
        other.execute(f"SELECT pg_cancel_backend(pid) FROM ({_WAITS}) AS waiting")


def test_a_commit_whose_wait_for_standbys_is_cancelled_is_an_error(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Postgres(data, durable=False)
    # From its start: it would take up a later change at a time of its own.
    monkeypatch.setattr(server, "_settings", (*server._settings, "synchronous_standby_names=nobody"))
    server.start()
    try:
        with psycopg.connect(server.url, autocommit=True) as owner:
            owner.execute("CREATE TABLE entries (number integer)")
        for insert in (insert_alone, insert_in_transaction):
            refused(server.url, insert)
        with psycopg.connect(server.url) as reader:
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (2,)
    finally:
        server.stop()


def refused(url: str, insert: Callable[[Connection], None]) -> None:
    with Connection.connect(url, options="-c synchronous_commit=on") as connection:
        canceller = Thread(target=cancel, args=[url])
        canceller.start()
        with pytest.raises(psycopg.OperationalError, match="synchronous replication"):
            insert(connection)
        canceller.join()
        # The connection goes on: the next commit has its own wait, or none.
        assert connection.execute("SELECT 1").fetchone() == (1,)
