"""Tasks for workers, queued after a commit, and periodic ones, begun once a period.

A task only says where to look: the sweep finds the work of one that was lost.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from celery import Task, current_app
from django.db import OperationalError, connection, transaction

from games import database_time
from league.ops import celery
from league.ops.logs import has_collided

_REPEATED: Final = 2
UNTIL: Final = "until"
"""The header of a message that says when it is out of date."""


def after_commit(task: str, *subjects: UUID, app: str = "league") -> None:
    """Queue a task of an app by name, with the ids as arguments, once the transaction is committed.

    Nothing is raised, and nobody waits, when the broker cannot be reached: what was written is kept, and the
    sweep finds it.
    """
    signature = current_app.signature(f"{app}.tasks.{task}", tuple(map(str, subjects)), retry=False)

    def send() -> None:
        celery.send(signature)

    transaction.on_commit(send, robust=True)


class Found(Task):  # type: ignore[type-arg]
    """Work that a sweep has found: left to the next one, by the database's clock, if it has waited so long.

    Celery's own `expires` compares the clock of whoever sent a message with that of the worker.
    """

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        until = (self.request.headers or {}).get(UNTIL)
        if until is None or database_time.now() < datetime.fromisoformat(until):
            return self._run(args, kwargs)
        return None

    def _run(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Do the work, again where it and another change waited for each other: then nothing was done."""
        for _attempt in range(_REPEATED):
            try:
                return self.run(*args, **kwargs)
            except OperationalError as error:
                if not has_collided(error):
                    raise
        return self.run(*args, **kwargs)


# ---- Periods -------------------------------------------------------------------------------------

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
