"""What is done to the database before the service starts."""

import pytest
from django.db import connection

from league.ops import checks, prepare


@pytest.mark.django_db
def test_machines_that_start_at_once_prepare_the_database_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone: list[tuple[str, bool]] = []

    def called(command: str, **_: object) -> None:
        with connection.cursor() as cursor:
            own = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
            cursor.execute(own)
            alone.append((command, cursor.fetchone() == (1,)))

    monkeypatch.setattr(prepare, "call_command", called)
    monkeypatch.setattr(checks, "check", lambda: None)
    prepare.prepare(terminal=False)
    assert alone == [("migrate", True), ("first_club", True)]
