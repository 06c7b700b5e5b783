"""Results of games: brought from their own logs into their competition's."""

from uuid import UUID

from league.choices import TableStatus
from league.core.verbs.result import RecordResult
from league.log import Appended
from league.models import ClubGame
from league.queries import score_cards
from league.queries.given import result_of
from league.services.verbs import perform_for_server


def record_result(*, game_id: UUID) -> Appended | None:
    """Record how a competition's game ended; a second time writes nothing.

    Of a score card the log then says whose entry, correction or confirmation was the last one.
    A score card that was corrected is recorded again, also where it goes on. Returns None for another game
    that runs, and for one that belongs to no competition, or to a round that was withdrawn. Raises
    ClubGame.DoesNotExist.
    """
    club_game = ClubGame.objects.select_related("game", "table").get(game=game_id)
    if club_game.competition_id is None or club_game.table is None:
        return None
    if not club_game.game.is_over and club_game.table.status != TableStatus.PLAYED:
        return None
    verb = RecordResult(**vars(result_of(club_game)))
    writer = score_cards.last_writer(club_game.game)
    return perform_for_server(club_game.competition_id, verb, account=writer)
