"""Games that run past the deadline of their table: the clock makes moves for the seats that are awaited."""

from contextlib import suppress
from typing import Final
from uuid import UUID

from games import database_time
from games.engine.refusals import Stale
from games.models import Game
from league.models import ClubGame, Competition
from league.services.play import call_time

_MOST_AT_ONCE: Final = 100


def end_overdue(*, game_id: UUID) -> None:
    """Make the clock's moves in a game past its table's deadline, as its competition says; else nothing.

    ``defaults``: default moves are played for the awaited seats. ``forfeit``: the awaited seats forfeit. At
    most `_MOST_AT_ONCE` moves are made, each at its own number of the game's log, so that several workers
    never make one twice; the next task makes the rest. Raises ClubGame.DoesNotExist.
    """
    for _turn in range(_MOST_AT_ONCE):
        club_game = ClubGame.objects.select_related("game", "competition", "table__round").get(game=game_id)
        if not _overdue(club_game) or not club_game.game.awaited:
            return
        forfeits = club_game.competition.overdue == Competition.Overdue.FORFEIT  # type: ignore[union-attr]
        with suppress(Stale):
            call_time(club_game.game, club_game.game.awaited[0], forfeits=forfeits)


def _overdue(club_game: ClubGame) -> bool:
    """Return whether the clock must move in the game now."""
    competition, table = club_game.competition, club_game.table
    if competition is None or table is None or club_game.game.status != Game.Status.ACTIVE:
        return False
    late = table.deadline is not None and table.deadline <= database_time.asked()
    return (
        late
        and competition.status == Competition.Status.RUNNING
        and competition.overdue != Competition.Overdue.ORGANISER
    )
