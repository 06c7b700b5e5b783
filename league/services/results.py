"""Results of games: brought from their own logs into their competition's."""

from uuid import UUID

from django.utils import timezone

from league.core.verb import Given
from league.core.verbs.result import RecordResult
from league.log import SYSTEM, Appended
from league.models import ClubGame
from league.services.endings import result_of
from league.services.verbs import write


def record_result(*, game_id: UUID) -> Appended | None:
    """Record how a competition's game ended; a second time writes nothing.

    Returns None for a game that runs or belongs to no competition. Raises ClubGame.DoesNotExist.
    """
    club_game = ClubGame.objects.select_related("game").get(game=game_id)
    if club_game.competition_id is None or not club_game.game.is_over:
        return None
    verb = RecordResult(**vars(result_of(club_game)))
    given = Given(str(club_game.competition_id), timezone.now(), "system")
    return write(
        competition_id=club_game.competition_id,
        author=SYSTEM,
        command=lambda state: verb.decide(state, given),
    )
