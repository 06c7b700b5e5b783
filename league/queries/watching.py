"""How many watch running games, through all processes together."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from games import database_time
from league.models import ClubGame, WatchedGames

LAPSES: Final = timedelta(seconds=50)
"""A process that has reported nothing for so long has ended."""


def watchers_of(games: Collection[UUID]) -> Mapping[UUID, int]:
    """Return how many watch each of these games; players at the table are none."""
    found = _watched() if games else {}
    return {game: found.get(str(game), 0) for game in games}


def watched_at(slug: str) -> Sequence[tuple[str, int]]:
    """Return the games of the competition at an address that are watched, by id, with how many watch each."""
    found = _watched()
    if not found:
        return ()
    own = ClubGame.objects.filter(game__in=[UUID(game) for game in found], competition__slug=slug)
    return [(game, found[game]) for game in sorted(map(str, own.order_by().values_list("game", flat=True)))]


def _watched() -> Mapping[str, int]:
    known = WatchedGames.objects.filter(at__gt=database_time.now() - LAPSES)
    found: Counter[str] = Counter()
    for reported in known.order_by("process").values_list("games", flat=True):
        found.update(reported)
    return found
