"""Results of tables: recorded from games, ruled on, adjusted, voided."""

from collections.abc import Sequence
from uuid import UUID

from games.engine.jsontypes import JsonObject
from games.models import Game
from league.competition import commands
from league.competition.events import ResultRecorded, read
from league.competition.state import Competition as State
from league.log import SYSTEM, Appended
from league.models import Account, ClubGame, Competition
from league.services.writing import direct, told, write


def record_result(*, game_id: UUID) -> Appended | None:
    """Record how a competition's game ended; a second time writes nothing.

    Returns None for a game that runs or is nobody's but its players'. Raises ClubGame.DoesNotExist.
    """
    place = ClubGame.objects.select_related("game").get(game=game_id)
    if place.competition_id is None or not place.game.is_over:
        return None
    result = _result(place)

    def command(state: State) -> commands.Events:
        return () if state.over else commands.record_result(state, result=result)

    return write(competition_id=place.competition_id, author=SYSTEM, command=command)


def _result(place: ClubGame) -> ResultRecorded:
    game = place.game
    event = read(
        {
            "type": "result_recorded",
            "table": str(place.table_id),
            "game": str(game.pk),
            "head": game.head,
            "status": "finished" if game.status == Game.Status.FINISHED else "abandoned",
            "seats": game.result["seats"] if game.result else [],
        }
    )
    assert isinstance(event, ResultRecorded)
    return event


def rule(
    *,
    by: Account,
    competition: Competition,
    table: UUID,
    seats: Sequence[JsonObject],
    reason: str,
    seq: int | None = None,
) -> Appended:
    """Let a result, ``[{"seat", "rank", "score"}]``, stand for a table whatever its games say."""
    command = told("ruled", table=str(table), seats=list(seats), reason=reason)
    return direct(by=by, competition=competition, command=command, seq=seq)


def adjust(
    *, by: Account, competition: Competition, entry: UUID, points: str, reason: str, seq: int | None = None
) -> Appended:
    """Add points, a whole number or a fraction such as ``"-1/2"``, to an entry's total in this stage."""
    command = told("adjusted", entry=str(entry), points=points, reason=reason)
    return direct(by=by, competition=competition, command=command, seq=seq)


def void(
    *, by: Account, competition: Competition, table: UUID, reason: str, seq: int | None = None
) -> Appended:
    """Let a table count for nobody."""
    command = told("voided", table=str(table), reason=reason)
    return direct(by=by, competition=competition, command=command, seq=seq)
