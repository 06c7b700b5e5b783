"""What verbs may know beside the state, what they would change, and which of them a player can use."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games import database_time
from games import log as games
from games.engine import replay
from games.engine.common_moves import Forfeit
from games.engine.messages import Message, text
from games.engine.refusals import Stale
from games.engine.replay import Actor
from games.models import Game
from league import hooks, log
from league.choices import EntryStatus, TokenScope
from league.core import previews
from league.core.course import absent_entries, coming_absences
from league.core.drawing.wishes import among, of_entries
from league.core.events import Ending, Event, Role, apply, read
from league.core.previews import Preview
from league.core.state.competition import Competition as State
from league.core.state.competition import Table as StateTable
from league.core.state.cut_offs import Wishes
from league.core.state.entries import Entries
from league.core.verb import Given, OwnButton, Verb
from league.core.verbs import PLAYER_VERBS
from league.core.verbs.checking import CheckResult, unchecked
from league.core.verbs.days import absences
from league.core.verbs.draw import CompleteDraw, DrawRound
from league.core.verbs.results import ReplayGame, ResultRecorded
from league.core.verbs.rounds import WithdrawRound, lost_at
from league.core.verbs.seeds import seedable
from league.core.verbs.stages import StartStage
from league.core.verbs.start import StartCompetition
from league.models import Account, ClubGame, Competition, Details, Entry, Player, Table
from league.queries import permissions, score_cards
from league.queries.clubs import away, players_of
from league.queries.competitions import entries_of, left_since, state_of
from league.queries.games import partners_are_left
from league.queries.orders import order_of, values_of
from league.queries.readers import PUBLIC, hidden_words, reading
from league.queries.rounds import tables_put_off

# ---- What verbs may know -------------------------------------------------------------------------


def given_to(by: Account, competition: Competition, verbs: Sequence[Verb]) -> Given:
    """Return what verbs may know that an organiser, or a scorekeeper where they let one, carries out.

    Raises PermissionDenied where ``by`` may not carry out one of them.
    """
    (role,) = {_role(by, competition.club_id, verb) for verb in {type(verb): verb for verb in verbs}.values()}
    known = names(competition, brought(verbs))
    given = Given(
        str(competition.pk), database_time.now(), role, players=known, hidden=hidden_in(competition, verbs)
    )
    given = with_written(given, by, competition, verbs)
    withdraws = any(isinstance(verb, WithdrawRound) for verb in verbs)
    return _with_begun(given, competition) if withdraws else given


def with_written(given: Given, by: Account, competition: Competition, verbs: Sequence[Verb]) -> Given:
    """Return what verbs that check results may know: which of these the account has entered itself."""
    results = {verb.result for verb in verbs if isinstance(verb, CheckResult)}
    return replace(given, wrote=written_by(by, competition, results)) if results else given


def checkable(by: Account, competition: Competition) -> Collection[str]:
    """Return the ids of the tables with a result that waits for a second person whom the account can be."""
    waiting = [(table.id, result.seq) for table, result in unchecked(state_of(competition))]
    wrote = written_by(by, competition, {seq for _table, seq in waiting})
    return {table for table, seq in waiting if seq not in wrote}


def hidden_in(competition: Competition, verbs: Iterable[Verb]) -> frozenset[str]:
    """Return the words of people's names that are not public, where verbs have a name that was typed."""
    if not any(getattr(verb, "name", "") for verb in verbs):
        return frozenset()
    with reading(PUBLIC):
        return hidden_words(competition.club_id)


def written_by(by: Account, competition: Competition, results: Collection[int]) -> frozenset[int]:
    """Return those events among results of which an account has entered anything, as events or moves."""
    found = set()
    for row in competition.events.filter(seq__in=results):
        accounts = {row.account}
        if game := row.event.get("game"):
            accounts |= {entry.account for entry in games.entries(Game.objects.get(pk=game))}
        if str(by.pk) in accounts:
            found.add(row.seq)
    return frozenset(found)


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


def beside_the_log(given: Given, verb: Verb, state: State) -> Given:
    """Return what a verb may know with what draws depend on besides the log, for a verb that draws.

    That are what people wish, orders and seeds that come from elsewhere, and who is away.
    """
    if not verb.uses_secret:
        return given
    competition = UUID(given.competition)
    wanted = verb.wanted_order(state) if isinstance(verb, DrawRound) else ""
    order, source = order_of(competition, state, wanted)
    return replace(
        given,
        wishes=wishes_of(competition, state),
        order=order,
        ordered_by=source,
        seeds=_seeds(competition, state, verb),
        away=away_from_round(competition, state),
    )


def _seeds(competition: UUID, state: State, verb: Verb) -> Mapping[str, int]:
    """Return the values by which a stage says that it is seeded, where it may begin now."""
    begins = isinstance(verb, StartCompetition | StartStage | CompleteDraw) and state.next_plan
    return values_of(competition, state, begins.intake.seeding) if begins and seedable(begins) else {}


def wishes_of(competition: UUID, state: State) -> Wishes:
    """Return what the people of a competition wish for its draws, by players, besides what its log says."""
    found = [each(competition, state) for each in hooks.WISHES]
    return Wishes(
        tuple(wish for each in found for wish in each.between),
        tuple(table for each in found for table in each.tables),
    )


def with_wishes_of_waiting(given: Given, state: State) -> Given:
    """Return what a verb may know with what people wish, where tables open by themselves for who waits."""
    opened = state.stage and state.stage.open_round
    if not opened or opened.queue is None:
        return given
    return replace(given, wishes=wishes_of(UUID(given.competition), state))


def with_wishes(competition: Competition, state: State) -> State:
    """Return the state with all wishes that would count in its next draw."""
    everybody = {entry.id for entry in state.entries}
    more = of_entries(wishes_of(competition.pk, state), state)
    return replace(state, wishes=among(state.wishes, everybody, more))


def away_from_round(competition: UUID, state: State) -> frozenset[str]:
    """Return the players who are away on the day of the next round, or of a competition that has only one."""
    its_day = state.day_of(state.round_point(state.next_round))
    day = date.fromisoformat(its_day.day) if its_day else _only_day(competition)
    if day is None:
        return frozenset()
    players = {UUID(player): UUID(player) for entry in state.entries for player in entry.players}
    merged = Player.objects.filter(pk__in=players, merged_into__isnull=False)
    players |= {pk: into for pk, into in merged.values_list("pk", "merged_into") if into}
    gone = away([*players.values()], day)
    return frozenset(str(player) for player, now in players.items() if now in gone)


def declined(competition: UUID) -> frozenset[UUID]:
    """Return the players who have said that they don't come, and those who became one with them."""
    return _once(frozenset(player for each in hooks.DECLINED for player in each(competition)))


def _once(players: frozenset[UUID]) -> frozenset[UUID]:
    """Return players and those who became one with them."""
    if not players:
        return players
    return players | {*Player.objects.filter(merged_into__in=players).values_list("pk", flat=True)}


def come(competition: Competition) -> frozenset[UUID]:
    """Return the players who come by what they say."""
    return _ticked(competition, frozenset())


def ticked(competition: Competition) -> frozenset[UUID]:
    """Return the players who are ticked where some are entered: also who came last, if nobody is asked."""
    last = (each(competition) for each in hooks.CAME_LAST)
    return _ticked(competition, frozenset[UUID]().union(*last))


def _ticked(competition: Competition, so_far: frozenset[UUID]) -> frozenset[UUID]:
    return reduce(lambda so_far, ticks: ticks(competition, so_far), hooks.TICKED, so_far)


def not_expected(competition: UUID, state: State) -> frozenset[str]:
    """Return the entries with who isn't expected: they said No, left the club, or are away without a Yes."""
    gone = away_from_round(competition, state)
    if gone:
        gone -= frozenset(map(str, _once(come(Competition.objects.get(pk=competition)))))
    gone |= frozenset(map(str, declined(competition) | left_since(competition)))
    return frozenset(entry.id for entry in state.entries if not gone.isdisjoint(entry.players))


def as_drawn(competition: UUID, state: State) -> State:
    """Return the state with those alone whom the next draw would count, if it were made now.

    Until somebody has checked in where that is needed, everybody counts who is expected.
    """
    state = reduce(apply, absences(state, away_from_round(competition, state)), state)
    if state.started or state.over:
        return state
    gone = absent_entries(state)
    if state.opening.entering.check_in:
        unseen = {entry.id for entry in state.not_checked_in}
        somebody = any(entry.checked_in for entry in state.entries if entry.status == "entered")
        gone |= unseen if somebody else not_expected(competition, state)
    return replace(state, entries=Entries(entry for entry in state.entries if entry.id not in gone))


def _only_day(competition: UUID) -> date | None:
    days = Details.objects.filter(competition=competition).values_list("begins_on", "ends_on").first()
    return days[0] if days and days[1] in (None, days[0]) else None


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


def lost(state: State, ending: Iterable[StateTable], *, withdrawn: bool = False) -> Sequence[Message]:
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
        numbers = [number for number, table in each.numbered if table.id in at]
        if numbers:
            sentences.append(text("Round %(round)d: %(lost)s", round=each.number, lost=lost_at(numbers)))
    return sentences


def begun(tables: Iterable[StateTable]) -> frozenset[str]:
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
            "by_one": bool(seats) and score_cards.by_one(game),
        }
    )
    assert isinstance(event, ResultRecorded)
    return event


# ---- What verbs would change; nothing is written -------------------------------------------------


def preview(
    *, by: Account, competition: Competition, verbs: Sequence[Verb], seq: int | None = None
) -> Preview:
    """Return what verbs would change if ``by`` carried them out now, one after the other.

    Raises what `league.services.verbs.perform` raises for them, and `Illegal` for a verb that draws. With
    ``seq`` the log must be expecting that number.
    """
    competition = Competition.objects.get(pk=competition.pk)
    given = [(verb, _given_with_games(by, competition, verb)) for verb in verbs]
    if seq is not None and seq != competition.seq + 1:
        raise Stale(competition.seq + 1, "competition", sent=seq)
    state = state_of(competition)
    given = [(verb, with_wishes_of_waiting(known, state)) for verb, known in given]
    found = previews.preview(state, given, _played_on)
    return replace(found, lost=lost(state, found.ends))


def _given_with_games(by: Account, competition: Competition, verb: Verb) -> Given:
    given = given_to(by, competition, [verb])
    return with_games(given, verb, abandoning=True) if isinstance(verb, ReplayGame) else given


def _played_on(state: State, ending: Ending) -> Iterator[Event]:
    """Yield the results of the running games that are over once an entry leaves them."""
    playing = ClubGame.objects.filter(table=UUID(ending.table), game__status=Game.Status.ACTIVE)
    for club_game in playing.select_related("game"):
        game = club_game.game
        position = games.latest(game)
        table = state.table(ending.table)[2]
        turn = table.turn(str(game.pk))
        entries = [table.seats[number ^ turn].entry for number in range(len(table.seats))]
        for number, entry in enumerate(entries):
            if entry == ending.entry and number not in position.out and not position.is_over:
                alone = partners_are_left(entries, (*position.out, number))
                position = replay.played(position, Actor("arbiter"), Forfeit(number, alone=alone))
                while due := replay.due(position):
                    position = replay.played(position, *due)
        games.follow(game, position)
        if game.is_over:
            # The head of an entry that nobody has written: it only has to differ from a recorded one.
            game.head = "0" * 64
            yield result_of(club_game)


# ---- An account's own part -----------------------------------------------------------------------

SEES_ITS_PART: Final = (TokenScope.READ_PRIVATE, TokenScope.PLAY_ENTER)
"""With either, an account sees its part in a competition."""


@dataclass(frozen=True)
class OwnPart:
    """A player's part in a competition: their entry, if any, and the keys of verbs that they can use.

    ``next_round`` is the first round that the player can still miss: an open-ended one while it is played.
    ``absences`` are the unpublished rounds that the entry will miss, of which ``requested`` are byes on
    request, ``games`` the player's running games, with the numbers of their tables, ``put_off`` the
    player's tables that are put off. ``in_stage`` is False for who did not come into the current stage.
    """

    player: Player
    entry: Entry | None
    may: tuple[str, ...]
    next_round: int
    absences: tuple[int, ...]
    requested: tuple[int, ...]
    games: Mapping[str, int]
    put_off: tuple[Table, ...]
    in_stage: bool

    @property
    def unmailed(self) -> Sequence[str]:
        """Return who gets no email about a table that the player has opened and that is being played."""
        if self.entry is None:
            return ()
        events = self.entry.competition.events.filter(
            event__type="table_opened", account=str(self.player.account_id)
        )
        opened = map(UUID, events.values_list("event__table", flat=True))
        played = Table.objects.filter(pk__in=[*opened], status=Table.Status.PLAYING)
        told = unmailed([*played.values_list("pk", flat=True)])
        return [name for names in told.values() for name in names]


def own_part(account: Account, competition: Competition) -> OwnPart:
    """Return the account's own part; raises PermissionDenied unless it has a player in the club."""
    player = permissions.require_player(competition.club_id, account, *SEES_ITS_PART)
    state = log.latest(competition)
    entry = state.entry_with(str(player.pk))
    absences = coming_absences(state, entry) if entry else ()
    return OwnPart(
        player,
        entries_of(competition).get(pk=entry.id) if entry else None,
        _offered(state, _given_to_player(competition, player)),
        state.next_change,
        absences,
        tuple(number for number in absences if state.round_point(number) in entry.requested) if entry else (),
        _games(state, str(player.pk)),
        tuple(tables_put_off(competition).filter(seats__player=player)),
        entry is None or entry.id not in state.outside,
    )


def _given_to_player(competition: Competition, player: Player) -> Given:
    key = str(player.pk)
    return Given(str(competition.pk), database_time.now(), "player", key, {key: player.name})


def _offered(state: State, given: Given) -> tuple[str, ...]:
    """Return the keys of the verbs that ``given.player`` can use now and that would change something."""
    assert given.player is not None
    entry = state.entry_with(given.player)
    live = entry if entry and entry.live else None
    offers = [verb for verb in PLAYER_VERBS.values() if verb.open_to_player(state, given, live)]
    return tuple(verb.key for verb in sorted(offers, key=_rank))


def _rank(verb: type[Verb]) -> tuple[int, str]:
    return (verb.own_button.rank if verb.own_button else OwnButton.rank, verb.key)


def _games(state: State, player: str) -> Mapping[str, int]:
    """Return a player's running games with the numbers of their tables, those of the newest round first."""
    return {
        game.id: its_round.number_of(table)
        for _, its_round, table in state.tables()
        if table.status == "postponed" or (its_round.status == "published" and table.status == "playing")
        for game in table.games
        if not game.result and any(seat.player == player for seat in table.seats)
    }


def free_players(competition: Competition) -> QuerySet[Player]:
    """Return the club's active players who are not in the competition yet."""
    entered = Entry.objects.filter(competition=competition).exclude(
        status__in=(EntryStatus.WITHDRAWN, EntryStatus.REJECTED)
    )
    return players_of(competition.club, active=True).exclude(entered__entry__in=entered)


def why_not_chosen(competition: Competition, row: str, otherwise: str = "") -> str:
    """Return in a sentence why an entry or a player of the club can't be chosen any more.

    Empty for what is neither; ``otherwise`` is why an entry that plays can't.
    """
    told = _("%(name)s can’t be chosen any more (%(why)s). Choose again.")
    try:
        pk = UUID(row)
    except ValueError:
        return ""
    if entry := entries_of(competition).filter(pk=pk).first():
        away = str(pk) in absent_entries(log.latest(competition))
        why = (away and _("away")) or otherwise or _("changed meanwhile")
        return told % {
            "name": entry.called,
            "why": why if entry.status == EntryStatus.ENTERED else entry.status_text,
        }
    if player := players_of(competition.club).filter(pk=pk).first():
        its = entries_of(competition).filter(members__player=player).last()
        why = _("entered as %(entry)s") % {"entry": its.name} if its else _("not active")
        return told % {"name": player.called, "why": why}
    return ""


def unmailed(tables: Collection[UUID]) -> Mapping[UUID, Sequence[str]]:
    """Return the names of those who get no email of tables that are opened for them, by table."""
    return {table: names for each in hooks.UNMAILED for table, names in each(tables).items()}
