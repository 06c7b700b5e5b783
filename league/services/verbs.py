"""Carrying out a verb of a competition: load what it needs, decide, append its events, update what follows.

Each call is idempotent where the verb is: what is the case already writes nothing, and `Appended.created` is
False. With ``seq`` the events are written at that number of the log, and the same call again is answered as
before; without it they are written at the log's end. Raises `games.engine.refusals.Refusal` (malformed,
illegal, stale) and PermissionDenied; then nothing has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time
from games import log as games
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.models import Game
from league import hooks, log
from league.choices import BotsPlay, EventRole
from league.core.events import EndsGames, Event, OpensGames, SetsClocks, changes
from league.core.state.competition import Competition as State
from league.core.verb import EntryVerb, Given, Verb, decide
from league.core.verbs import PLAYER_VERBS
from league.core.verbs.results import ReplayGame
from league.core.verbs.rounds import WithdrawRound, refuse_begun
from league.files.file import Progress, no_progress
from league.log import Appended, Author, Command
from league.models import Account, ClubGame, Competition, Kiosk
from league.projections import rows
from league.queries import permissions
from league.queries.bots import kept_out
from league.queries.clubs import accounts_of
from league.queries.given import begun, given_to, given_together, names
from league.queries.steps import can_advance
from league.services import account_events, endings, notices, queue, seat_codes
from league.services.channel import tell, topic
from league.services.commitments import with_secrets


@transaction.atomic
def perform(*, by: Account, competition: Competition, verb: Verb, seq: int | None = None) -> Appended:
    """Carry out a verb for an organiser, or for a scorekeeper where the verb lets one."""
    given = given_to(by, competition, verb)
    if isinstance(verb, ReplayGame):
        given = endings.with_games(given, verb, competition, by)
    appended = write(
        competition_id=competition.pk,
        author=Author(EventRole(given.role), str(by.pk)),
        command=lambda state, now: decide(verb, state, with_secrets(given.at(now), verb, state)),
        seq=seq,
    )
    if isinstance(verb, WithdrawRound) and appended.created:
        # Its games are over now: if somebody moved in the meantime, everything is rolled back.
        withdrawn = appended.state.withdrawn[-1]
        refuse_begun(withdrawn, begun(withdrawn.tables))
    return appended


@transaction.atomic
def perform_together(
    *,
    by: Account,
    competition: Competition,
    verbs: Sequence[Verb],
    seq: int | None = None,
    progress: Progress = no_progress,
) -> Appended:
    """Carry out verbs one after the other for an organiser, and write all their events at once.

    Each decides on the state that those before it leave. None may replay a game or withdraw a round.
    Raises as `perform` does; then nothing has changed.
    """
    given = given_together(by, competition, verbs)

    def command(state: State, now: datetime) -> Sequence[Event]:
        decided: list[Event] = []
        for at, verb in enumerate(verbs):
            progress(at, len(verbs))
            for change in changes(state, decide(verb, state, with_secrets(given.at(now), verb, state))):
                decided.append(change.event)
                state = change.after
        return decided

    author = Author(EventRole(given.role), str(by.pk))
    return write(competition_id=competition.pk, author=author, command=command, seq=seq)


def perform_for_server(competition_id: UUID, verb: Verb, seq: int | None = None) -> Appended:
    """Carry out a verb for the server itself."""
    given = given_for_server(competition_id)
    return write(
        competition_id=competition_id,
        author=Author(EventRole.SYSTEM),
        command=lambda state, now: verb.decide(state, with_secrets(given.at(now), verb, state)),
        seq=seq,
    )


def given_for_server(competition_id: UUID) -> Given:
    """Return what a verb of the server decides by."""
    return Given(str(competition_id), database_time.now(), "system")


@transaction.atomic
def perform_own(
    *, by: Account, competition: Competition, key: str, seq: int | None = None, **fields: Any
) -> Appended:
    """Carry out a verb for the caller's own entry, with the fields that a player gives.

    ``by`` is the account of a member with a player in the club; any player of a team may act for it.
    """
    kind = PLAYER_VERBS[key]
    player = str(permissions.require_player(competition.club_id, by, kind.own_scope).pk)
    known = names(competition, fields.get(kind.brings) or (player, *_met(competition, fields)))
    given = Given(str(competition.pk), database_time.now(), "player", player, known)

    def command(state: State, now: datetime) -> Sequence[Event]:
        return decide(_own_verb(kind, state, player, fields), state, given.at(now))

    author = Author(EventRole.PLAYER, str(by.pk))
    return write(competition_id=competition.pk, author=author, command=command, seq=seq)


def _met(competition: Competition, fields: dict[str, Any]) -> Iterator[str]:
    """Yield the players of the entries with which a player wants to sit at a table."""
    if entries := fields.get("entries"):
        known = log.latest(competition).entries
        yield from (player for each in known if each.id in entries for player in each.players)


def _own_verb(kind: type[Verb], state: State, player: str, fields: dict[str, Any]) -> Verb:
    """Return the verb with the player's own entry, where it is about one."""
    if kind.audience == "players":
        return kind(**fields)
    entry = state.entry_with(player)
    if entry is None:
        raise PermissionDenied(text("You have not entered this competition."))
    return kind(**fields, entry=entry.id) if issubclass(kind, EntryVerb) else kind(**fields)


def perform_at_kiosk(*, kiosk: Kiosk, verb: Verb, seq: int | None = None) -> Appended:
    """Carry out a verb that anybody may use at a kiosk of its competition; no account stands in the log.

    Raises PermissionDenied for other verbs, and for a kiosk that has expired or was revoked.
    """
    if not (verb.at_kiosk and kiosk.is_open):
        raise PermissionDenied(text("This can’t be done at a kiosk."))
    given = Given(str(kiosk.competition_id), database_time.now(), "kiosk")
    return write(
        competition_id=kiosk.competition_id,
        author=Author(EventRole.KIOSK),
        command=lambda state, now: decide(verb, state, given.at(now)),
        seq=seq,
    )


# ---- Writing -------------------------------------------------------------------------------------


@transaction.atomic
def write(*, competition_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append a command's events, open the games that they name and end those that they decide.

    Rows, deliveries, notices and tasks follow in the same transaction. Raises what `league.log.append` does;
    then nothing has changed.
    """
    appended = log.append(competition_id=competition_id, author=author, command=command, seq=seq)
    if appended.created:
        _refuse_bots(appended)
        games_opened: list[Game] = []
        for event in appended.events:
            match event:
                case OpensGames():
                    opened = [*event.opened_games()]
                    playing = _accounts_at(appended.state, [table for table, _ in opened])
                    for table, game in opened:
                        games_opened.append(_open_game(appended.state, table, game, author.account, playing))
                        if appended.state.table(table)[2].to_come:
                            endings.set_clocks(appended.state, table, "stop_clocks", author.account)
                case EndsGames():
                    for ending in event.endings(appended.state):
                        endings.end_games(appended.state, ending, author.account)
                case SetsClocks():
                    table = vars(event)["table"]
                    endings.set_clocks(appended.state, table, event.clocks, author.account)
        follow(appended)
        if games_opened:
            club_games = ClubGame.objects.select_related("club").in_bulk([game.pk for game in games_opened])
            account_events.write_opened(games_opened, club_games)
    return appended


def _refuse_bots(appended: Appended) -> None:
    """Raise `Illegal` where bots enter a competition of a club that does not let them."""
    joining = {UUID(player) for event in appended.events for player in event.joining()}
    if joining and kept_out(appended.competition.club, BotsPlay.COMPETITIONS, joining):
        raise Illegal(text("The club does not let bots play in competitions."))


def _accounts_at(state: State, tables: Sequence[str]) -> Mapping[UUID, UUID]:
    """Return the account of each player at the tables who has one."""
    return accounts_of(UUID(seat.player) for table in tables for seat in state.table(table)[2].seats)


def _open_game(
    state: State, table: str, game: str, account: str | None, playing: Mapping[UUID, UUID]
) -> Game:
    opening, players = state.opening, [UUID(seat.player) for seat in state.table(table)[2].seats]
    return games.open_game(
        ruleset=opening.ruleset,
        options=opening.options,
        players=players,
        account=account,
        clock=opening.clock,
        game_id=UUID(game),
        accounts=[*map(playing.get, players)],
    )


def follow(appended: Appended) -> None:
    """Update the rows of a competition from new events, and queue deliveries, notices and tasks."""
    competition = appended.competition
    rows.follow(appended)
    if any(event.notice for event in appended.events):
        notices.write_events(appended)
    account_events.write_events(appended)
    hooks.events_appended(appended)
    tell([topic("competition", competition.pk), topic("club", competition.club_id)])
    seat_codes.end_codes(competition.pk)
    queue.after_commit("compute_standings", competition.pk)
    queue.after_commit("compute_ratings", competition.pk)
    if can_advance(appended.state, competition.changed_at):
        queue.after_commit("advance", competition.pk)
