"""How many watch running games, through all processes together."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Final
from uuid import UUID

from games import database_time
from league.models import WatchedGames

LAPSES: Final = timedelta(seconds=50)
"""A process that has reported nothing for so long has ended."""


def watchers_of(games: Collection[UUID]) -> Mapping[UUID, int]:
    """Return how many watch each of these games; players at the table are none."""
    if not games:
        return {}
    known = WatchedGames.objects.filter(at__gt=database_time.now() - LAPSES)
    found: Counter[str] = Counter()
    for reported in known.order_by("process").values_list("games", flat=True):
        found.update(reported)
    return {game: found[str(game)] for game in games}
