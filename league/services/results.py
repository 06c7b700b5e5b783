"""Results of games: brought from their own logs into their competition's."""

from uuid import UUID

from league.core.verbs.result import RecordResult
from league.log import Appended
from league.models import ClubGame
from league.queries.given import result_of
from league.services.verbs import perform_for_server


def record_result(*, game_id: UUID) -> Appended | None:
    """Record how a competition's game ended; a second time writes nothing.

    A score card that was corrected is recorded again, also where it goes on. Returns None for a game that
    belongs to no competition, or to a round that was withdrawn. Raises ClubGame.DoesNotExist.
    """
    club_game = ClubGame.objects.select_related("game").get(game=game_id)
    if club_game.competition_id is None or club_game.table_id is None:
        return None
    verb = RecordResult(**vars(result_of(club_game)))
    return perform_for_server(club_game.competition_id, verb)
