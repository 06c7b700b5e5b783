"""Periodic tasks, begun once a period however many schedulers ask for them."""

from datetime import timedelta
from typing import Final

from django.db import connection

# Messages of one scheduler don't come exactly a period apart.
_SLACK: Final = 0.9
_CLAIM: Final = """
INSERT INTO league_periodicrun (name, began_at) VALUES (%s, statement_timestamp())
ON CONFLICT (name) DO UPDATE SET began_at = excluded.began_at
    WHERE league_periodicrun.began_at <= excluded.began_at - make_interval(secs => %s)
        OR league_periodicrun.began_at > excluded.began_at
"""


def is_due(name: str, every: timedelta) -> bool:
    """Return whether a periodic task is due, and note that it begins now; one caller is told so."""
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [name, (every * _SLACK).total_seconds()])
        return bool(cursor.rowcount)
