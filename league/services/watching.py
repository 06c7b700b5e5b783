"""Processes report how many watch games through them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from uuid import UUID

from games import database_time
from league.models import WatchedGames
from league.queries.watching import watchers_of

_KEPT: Final = timedelta(hours=1)


def report_watchers(process: UUID, games: Mapping[UUID, int]) -> Mapping[UUID, int]:
    """Keep how many watch games through a process; return how many watch them through all processes.

    The report replaces the one before, and lapses after `league.queries.watching.LAPSES`.
    """
    now = database_time.now()
    counts = {str(game): count for game, count in games.items() if count}
    WatchedGames.objects.update_or_create(process=process, defaults={"games": counts, "at": now})
    WatchedGames.objects.filter(at__lt=now - _KEPT).delete()
    return watchers_of(games)
