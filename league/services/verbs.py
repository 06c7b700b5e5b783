"""Carrying out a verb of a competition: load what it needs, decide, append its events, update what follows.

Each call is idempotent where the verb is: what is the case already writes nothing, and `Appended.created` is
False. With ``seq`` the events are written at that number of the log, and the same call again is answered as
before; without it they are written at the log's end. Raises `games.engine.refusals.Refusal` (malformed,
illegal, stale) and PermissionDenied; then nothing has changed.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import log as games
from games.engine.refusals import Illegal
from games.models import Game
from league import hooks, log
from league.callers import Caller
from league.choices import BotsPlay, EventRole
from league.core.club_desks import refuse_for_club
from league.core.commitment import SECRET_BYTES, Tree
from league.core.events import EndsGames, Event, OpensGames, SetsClocks, changes, without_account
from league.core.state.competition import Competition as State
from league.core.verb import Given, Verb, decide
from league.core.verbs.challenges import MakeChallenge, ReopenChallenge
from league.core.verbs.course import ResumeCompetition
from league.core.verbs.cut_off import Recommit
from league.core.verbs.presence import CheckInAllEntries
from league.core.verbs.results import ReplayGame
from league.core.verbs.rounds import PublishRound, WithdrawRound, refuse_begun
from league.core.verbs.seeds import SetSeeds
from league.core.verbs.settings import ChangeSettings
from league.files.file import Progress, no_progress
from league.log import Appended, Author, Command
from league.models import BeaconValue, ClubGame, Competition
from league.projections import rows
from league.projections.public_names import ClubBusy, lock
from league.queries.clubs import accounts_of, kept_out
from league.queries.competitions import can_advance
from league.queries.orders import values_of
from league.queries.verbs import (
    away_from_round,
    begun,
    beside_the_log,
    not_expected,
    with_games,
    with_wishes_of_waiting,
)
from league.services import account_events, play, queue
from league.services.channel import tell, topic


def perform(
    caller: Caller,
    *,
    competition: Competition,
    verb: Verb | Sequence[Verb],
    seq: int | None = None,
    progress: Progress = no_progress,
) -> Appended:
    """Carry out a verb, or several one after the other, whose events are all written at once.

    Each of several decides on the state that those before it leave; none may replay a game.
    """
    verbs = [verb] if isinstance(verb, Verb) else verb
    return _waiting(partial(_performed, caller, competition, verbs, seq, progress), competition.pk)


def _performed(
    caller: Caller, competition: Competition, verbs: Sequence[Verb], seq: int | None, progress: Progress
) -> Appended:
    given = caller.given(competition, verbs)
    if isinstance(verbs[0], ReplayGame):
        given = _with_games(given, verbs[0], competition, caller.account)

    def decided(verb: Verb, state: State, now: datetime) -> Sequence[Event]:
        its_verb, known = caller.own(verb, state, given), caller.beside(verb, state, given.at(now))
        known = with_wishes_of_waiting(known, state)
        events = decide(its_verb, state, _with_secrets(known, its_verb, state))
        if given.role == "club":
            refuse_for_club(state, events, given.club)
        kinds = {each.type for each in events}
        if caller.account is None and not all(without_account(given.role, each, kinds) for each in events):
            raise PermissionDenied  # A log with it would be wrong for good.
        return events

    def command(state: State, now: datetime) -> Sequence[Event]:
        found: list[Event] = []
        *earlier, last = verbs
        for at, each in enumerate(earlier):
            progress(at, len(verbs))
            for change in changes(state, decided(each, state, now)):
                found.append(change.event)
                state = change.after
        return [*found, *decided(last, state, now)]

    author = Author(EventRole(given.role), caller.account)
    appended = _written(competition.pk, author, command, seq)
    if appended.created and any(isinstance(each, WithdrawRound) for each in verbs):
        # Its games are over now: if somebody moved in the meantime, everything is rolled back.
        withdrawn = appended.state.withdrawn[-1]
        refuse_begun(withdrawn, begun(withdrawn.tables))
    return appended


def _with_games(given: Given, verb: ReplayGame, competition: Competition, account: str | None) -> Given:
    """Return what a replay decides by.

    Games that are still running are abandoned first, unless the replay names a game that the table does not
    have. Raises `Illegal` where there is no such table.
    """
    now = Competition.objects.get(pk=competition.pk)
    _stage, _round, table = log.latest(now).table(verb.table)
    if verb.game is None or any(game.id == verb.game for game in table.games):
        play.abandon(table, verb.reason, account)
    return with_games(given, verb)


# ---- Writing -------------------------------------------------------------------------------------


def write(*, competition_id: UUID, author: Author, command: Command, seq: int | None = None) -> Appended:
    """Append a command's events, open the games that they name and end those that they decide.

    Rows, deliveries, emails and tasks follow in the same transaction. Raises what `league.log.append` does;
    then nothing has changed.
    """
    return _waiting(partial(_written, competition_id, author, command, seq), competition_id)


# A savepoint is no help here: who waits for a row that a released one has locked waits for the whole
# transaction (PostgreSQL's XactLockTableWait), also where a savepoint around that is rolled back.
def _waiting(run: Callable[[], Appended], competition_id: UUID) -> Appended:
    """Return what is written; where somebody comes or leaves while names change in the club, after that.

    It waits with nothing locked. So a caller that has begun a transaction locks the club first.
    """
    try:
        with transaction.atomic():
            return run()
    except ClubBusy:
        with transaction.atomic():
            lock(Competition.objects.values_list("club", flat=True).get(pk=competition_id))
            return run()


def _written(competition_id: UUID, author: Author, command: Command, seq: int | None) -> Appended:
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
                            play.set_clocks(appended.state, table, {"type": "stop_clocks"}, author.account)
                case EndsGames():
                    for ending in event.endings(appended.state):
                        play.end_games(appended.state, ending, author.account)
                case SetsClocks():
                    table = vars(event)["table"]
                    play.set_clocks(appended.state, table, event.clock_move(), author.account)
        follow(appended)
        if games_opened:
            club_games = ClubGame.objects.select_related("club").in_bulk([game.pk for game in games_opened])
            account_events.write_opened(games_opened, club_games)
    return appended


def _refuse_bots(appended: Appended) -> None:
    """Raise `Illegal` where bots enter a competition of a club that does not let them."""
    joining = {UUID(player) for event in appended.events for player in event.joining()}
    if joining and kept_out(appended.competition.club, BotsPlay.COMPETITIONS, joining):
        raise Illegal("The club does not let bots play in competitions.")


def _accounts_at(state: State, tables: Sequence[str]) -> Mapping[UUID, UUID]:
    """Return the account of each player at the tables who has one."""
    return accounts_of(UUID(seat.player) for table in tables for seat in state.table(table)[2].seats)


def _open_game(
    state: State, table: str, game: str, account: str | None, playing: Mapping[UUID, UUID]
) -> Game:
    opening, players = state.opening, [UUID(player) for player in state.table(table)[2].players_of(game)]
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
    """Update the rows of a competition from new events, and queue deliveries, emails and tasks."""
    competition = appended.competition
    rows.follow(appended)
    account_events.write_events(appended)
    hooks.events_appended(appended)
    tell([topic("competition", competition.pk), topic("club", competition.club_id)])
    queue.after_commit("compute_standings", competition.pk)
    queue.after_commit("compute_ratings", competition.pk)
    if can_advance(appended.state, competition):
        queue.after_commit("advance", competition.pk)


# ---- The secrets of draws (docs/draws.md) --------------------------------------------------------


def new_tree() -> Tree:
    """Return the tree of a new secret, drawn from the operating system."""
    return Tree(secrets.token_bytes(SECRET_BYTES))


def _with_secrets(given: Given, verb: Verb, state: State) -> Given:
    """Return what a verb may know that draws: the secrets, and the beacon's values; others need the zone."""
    competition = UUID(given.competition)
    if isinstance(verb, MakeChallenge | ReopenChallenge | ResumeCompetition | PublishRound | ChangeSettings):
        zone = Competition.objects.values_list("club__timezone", flat=True).get(pk=competition)
        publishes = isinstance(verb, PublishRound | ChangeSettings)
        away = away_from_round(competition, state) if publishes else given.away
        return replace(given, zone=zone, away=away)
    if isinstance(verb, CheckInAllEntries):
        return replace(given, not_expected=not_expected(competition, state))
    if isinstance(verb, SetSeeds):
        return replace(given, seeds=values_of(competition, state, verb.by))
    if not verb.uses_secret:
        return given
    return replace(
        beside_the_log(given, verb, state),
        trees=log.trees(competition),
        beacon=_beacon(state),
        new_root=_unused_root(competition, state) if isinstance(verb, Recommit) else "",
    )


def _beacon(state: State) -> Mapping[int, str]:
    """Return the signature of the beacon's round that a draw waits for, once it is known."""
    wanted = state.pending.cut_off.beacon if state.pending else 0
    return dict(BeaconValue.objects.filter(round=wanted).values_list("round", "signature"))


def _unused_root(competition: UUID, state: State) -> str:
    """Return the root of the newest secret, if it is not in force; else that of another, which is kept.

    So a retry commits to the same one.
    """
    *_, newest = ("", *log.trees(competition))
    if newest not in ("", state.root, state.opening.root):
        return newest
    tree = new_tree()
    log.keep_secret(competition, tree)
    return tree.root
