"""What a verb may know beside the state of its competition, looked up before it decides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.core.exceptions import PermissionDenied

from games import database_time
from games import log as games
from games.engine.messages import Message, text
from league import log
from league.core.events import Role, read
from league.core.state.competition import Competition as State
from league.core.state.competition import Table
from league.core.verb import Given, Verb
from league.core.verbs.results import ReplayGame, ResultRecorded
from league.core.verbs.rounds import WithdrawRound, lost_at
from league.models import Account, ClubGame, Competition, Player
from league.queries import permissions


def given_to(by: Account, competition: Competition, verbs: Sequence[Verb]) -> Given:
    """Return what verbs may know that an organiser, or a scorekeeper where they let one, carries out.

    Raises PermissionDenied where ``by`` may not carry out one of them.
    """
    (role,) = {_role(by, competition.club_id, verb) for verb in {type(verb): verb for verb in verbs}.values()}
    given = Given(str(competition.pk), database_time.now(), role, players=names(competition, brought(verbs)))
    withdraws = any(isinstance(verb, WithdrawRound) for verb in verbs)
    return _with_begun(given, competition) if withdraws else given


def _role(by: Account, club: UUID, verb: Verb) -> Role:
    by.require_scope(verb.scope)
    role = permissions.role_in(club, by)
    if role in permissions.DIRECTORS:
        return "organiser"
    if verb.audience == "organisers":
        raise PermissionDenied(permissions.ORGANISERS_ONLY)
    if role not in permissions.SCOREKEEPERS:
        raise PermissionDenied(permissions.SCOREKEEPERS_ONLY)
    return "scorekeeper"


def brought(verbs: Iterable[Verb]) -> Iterator[str]:
    """Yield the players whom verbs bring in."""
    for verb in verbs:
        players = vars(verb).get(verb.brings, ())
        yield from [players] if isinstance(players, str) else players


def names(competition: Competition, players: Iterable[str]) -> Mapping[str, str]:
    """Return the names of those of the players who are active in the club, by id."""
    if not (ids := {*players}):
        return {}
    active = Player.objects.filter(club=competition.club_id, active=True, pk__in=sorted(ids))
    return {str(pk): name for pk, name in active.values_list("pk", "name")}


# ---- Games ---------------------------------------------------------------------------------------


def with_games(given: Given, verb: ReplayGame, *, abandoning: bool = False) -> Given:
    """Return what a replay decides by: the games of its table, and the results of those that are over.

    With ``abandoning`` a game that runs counts as abandoned at its last entry.
    """
    played = ClubGame.objects.filter(table=UUID(verb.table)).select_related("game").order_by("game")
    over = [result_of(club_game) for club_game in played if club_game.game.is_over]
    running = [result_of(club_game) for club_game in played if abandoning and not club_game.game.is_over]
    ended = [*over, *(replace(result, status="abandoned") for result in running)]
    return replace(given, ended=ended, games=frozenset(str(club_game.pk) for club_game in played))


def _with_begun(given: Given, competition: Competition) -> Given:
    """Return what the withdrawal of a round decides by: the tables of the current round that have begun."""
    now = Competition.objects.get(pk=competition.pk)
    published = log.latest(now).current_round
    return replace(given, begun=begun(published.tables) if published else frozenset())


def lost(state: State, ending: Iterable[Table], *, withdrawn: bool = False) -> Sequence[Message]:
    """Return what was played in games that are not over if they end at these tables: a sentence a round.

    Where the round is ``withdrawn`` what was played in games that are over is lost, too.
    """
    of_these = [
        table
        for table in ending
        if withdrawn or not all(game.result or game.abandoned for game in table.games)
    ]
    at, sentences = begun(of_these), []
    for each in (each for stage in state.stages for each in stage.rounds):
        numbers = [number for number, table in enumerate(each.tables, 1) if table.id in at]
        if numbers:
            sentences.append(text("Round %(round)d: %(lost)s", round=each.number, lost=lost_at(numbers)))
    return sentences


def begun(tables: Iterable[Table]) -> frozenset[str]:
    """Return the ids of those tables at which somebody, or the clock for a seat, has made an entry."""
    of_game = {UUID(game.id): table.id for table in tables for game in table.games}
    return frozenset(of_game[game] for game in games.begun(of_game))


def result_of(club_game: ClubGame, left: Mapping[tuple[UUID, int], str] | None = None) -> ResultRecorded:
    """Return the event that records how a competition's game ended, or that it goes on after all.

    ``left`` says why seats did, where that was read already.
    """
    game = club_game.game
    gone = games.left([game.pk]) if left is None else left
    seats = game.result["seats"] if game.result else []
    event = read(
        {
            "type": "result_recorded",
            "table": str(club_game.table_id),
            "game": str(game.pk),
            "head": game.head,
            "status": game.status,
            "seats": [{**each, "left": gone.get((game.pk, each["seat"]))} for each in seats],
        }
    )
    assert isinstance(event, ResultRecorded)
    return event
