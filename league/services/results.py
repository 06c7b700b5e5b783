"""Results of tables: recorded from games, ruled on, adjusted, voided."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal
from games.models import Game
from league import permissions
from league.competition import commands
from league.competition.events import ResultRecorded, read
from league.competition.state import Competition as State
from league.competition.state import Table
from league.log import SYSTEM, Appended
from league.models import Account, ClubGame, Competition
from league.services import endings
from league.services.writing import direct, keep_score, told, write


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
    """Let a result, ``[{"seat", "rank", "score"}]``, stand for a table whatever its games say.

    A game that still runs there is abandoned. A scorekeeper may enter the result of an undecided table.
    """
    command = told("ruled", table=str(table), seats=list(seats), reason=reason)
    return keep_score(by=by, competition=competition, table=table, command=command, seq=seq)


def no_show(
    *,
    by: Account,
    competition: Competition,
    table: UUID,
    entry: UUID,
    reason: str = "",
    seq: int | None = None,
) -> Appended:
    """Note that an entry did not come to its table: the policy pays it, its seats leave the game.

    The others go on; where one is left, the game is over. A scorekeeper may say it of an undecided table.
    """
    command = told("no_show", table=str(table), entry=str(entry), reason=reason)
    return keep_score(by=by, competition=competition, table=table, command=command, seq=seq)


def forfeit(
    *, by: Account, competition: Competition, table: UUID, entry: UUID, reason: str, seq: int | None = None
) -> Appended:
    """Note that an entry left its table or is put out of it; otherwise as `no_show`."""
    command = told("forfeited", table=str(table), entry=str(entry), reason=reason)
    return keep_score(by=by, competition=competition, table=table, command=command, seq=seq)


def walk_over(
    *,
    by: Account,
    competition: Competition,
    table: UUID,
    entries: Sequence[UUID],
    reason: str = "",
    seq: int | None = None,
) -> Appended:
    """Decide a table without a game: ``entries`` were there and get the walkover policy, the others not.

    A game that runs there is abandoned. A scorekeeper may say it of an undecided table.
    """
    there = [str(entry) for entry in entries]
    command = told("walked_over", table=str(table), entries=there, reason=reason)
    return keep_score(by=by, competition=competition, table=table, command=command, seq=seq)


@transaction.atomic
def replay(
    *,
    by: Account,
    competition: Competition,
    table: UUID,
    game: UUID | None = None,
    reason: str = "",
    seq: int | None = None,
) -> Appended:
    """Open a new game at a table in place of the one that was abandoned, or that is by this.

    With the ``game`` that is to be replaced, again writes nothing. `Illegal` where the table is decided (by
    its games, a ruling, a walkover, or as void).
    """
    permissions.require_organiser(competition.club_id, by)

    def command(state: State) -> commands.Events:
        _, _, its_table = state.table(str(table))
        if game and _was_replaced(its_table, game):
            return ()
        endings.abandon(its_table, reason, str(by.pk))
        return commands.replay(state, table=its_table.id, ended=_ended(its_table), reason=reason)

    return direct(by=by, competition=competition, command=command, seq=seq)


def _was_replaced(table: Table, game: UUID) -> bool:
    """Return whether another game has the place of this one; raise `Illegal` where it never had one."""
    if any(each.id == str(game) for each in table.games):
        return False
    if not ClubGame.objects.filter(game=game, table=UUID(table.id)).exists():
        raise Illegal(_("This game is not played at this table."))
    return True


def _ended(table: Table) -> list[ResultRecorded]:
    """Return the results of the table's games that are over and that the log does not know yet."""
    unknown = [UUID(game.id) for game in table.games if not game.result and not game.abandoned]
    places = ClubGame.objects.filter(game__in=unknown).select_related("game").order_by("game")
    return [_result(place) for place in places if place.game.is_over]


def adjust(
    *, by: Account, competition: Competition, entry: UUID, points: str, reason: str, seq: int | None = None
) -> Appended:
    """Add points, a whole number or a fraction such as ``"-1/2"``, to an entry's total in this stage."""
    command = told("adjusted", entry=str(entry), points=points, reason=reason)
    return direct(by=by, competition=competition, command=command, seq=seq)


def void(
    *, by: Account, competition: Competition, table: UUID, reason: str, seq: int | None = None
) -> Appended:
    """Let a table count for nobody; a game that runs there is abandoned."""
    command = told("voided", table=str(table), reason=reason)
    return direct(by=by, competition=competition, command=command, seq=seq)
