"""Every read worth a name."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Case, Count, Prefetch, Q, QuerySet, When
from django.utils.translation import gettext as _

from games.engine import replay
from games.engine.base import Choice
from games.engine.replay import Position
from games.models import Game, Seat
from league import log, permissions, reminders
from league.competition import commands, own
from league.competition.own import OwnVerb
from league.models import (
    Account,
    Bye,
    Club,
    ClubGame,
    Competition,
    Entry,
    EntryPlayer,
    Event,
    GameRating,
    Member,
    Player,
    Rating,
    Round,
    Stage,
    Standing,
    Standings,
    Table,
    TableSeat,
    Token,
)
from league.models.names import search_key
from league.reminders import Reminder

# ---- Clubs ---------------------------------------------------------------------------------------


def clubs() -> QuerySet[Club]:
    """Return all clubs by name: that a club is here is public."""
    return Club.objects.order_by("name", "id")


def clubs_of(account: Account, *roles: str) -> QuerySet[Club]:
    """Return the clubs where the account has a role, or one of the roles if any are named."""
    mine = Member.objects.filter(account=account)
    chosen = mine.filter(role__in=roles) if roles else mine
    return Club.objects.filter(pk__in=chosen.values("club")).order_by("name", "id")


def with_players(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Return clubs, each with its number of ``playing``, active players."""
    return clubs.annotate(playing=Count("players", filter=Q(players__active=True)))


def players_of(club: Club, *, name: str = "", active: bool | None = None) -> QuerySet[Player]:
    """Return the club's players by name; ``name`` finds any part of one, whatever its accents and case."""
    players = Player.objects.filter(club=club, search_name__contains=search_key(name))
    return players if active is None else players.filter(active=active)


def memberships(account: Account) -> QuerySet[Member]:
    """Return the account's memberships with their clubs, by the club's name."""
    return Member.objects.filter(account=account).select_related("club").order_by("club__name", "pk")


def tokens_of(account: Account) -> QuerySet[Token]:
    """Return the account's tokens, revoked ones too, the last made first."""
    return Token.objects.filter(account=account).order_by("-created_at", "pk")


def account_names(ids: Iterable[str | None]) -> Mapping[str, str]:
    """Return the names of the accounts that logs name by their ids."""
    found = Account.objects.filter(pk__in={pk for pk in ids if pk}).values_list("pk", "username")
    return {str(pk): name for pk, name in found}


# ---- Competitions --------------------------------------------------------------------------------


def competitions() -> QuerySet[Competition]:
    """Return all competitions with their clubs, those that run first, then the last opened first."""
    over = Case(When(status__in=_OVER, then=1), default=0)
    return Competition.objects.select_related("club").order_by(over, "-opened_at", "pk")


_OVER: Final = (Competition.Status.FINISHED, Competition.Status.CANCELLED)


def running_competitions() -> QuerySet[Competition]:
    """Return the competitions that are open for entries or played, each with its number of ``places``."""
    return with_places(competitions().exclude(status__in=_OVER))


def competitions_of(club: Club) -> QuerySet[Competition]:
    """Return the club's competitions, each with its number of ``places`` taken."""
    return with_places(competitions().filter(club=club))


def with_places(found: QuerySet[Competition]) -> QuerySet[Competition]:
    """Return competitions, each with its number of ``places`` taken."""
    return found.annotate(places=Count("entries", filter=Q(entries__status=Entry.Status.ENTERED)))


def entries_of(competition: Competition) -> QuerySet[Entry]:
    """Return the entries with their players, in the order of entering."""
    return (
        Entry.objects.filter(competition=competition)
        .prefetch_related(Prefetch("members", EntryPlayer.objects.select_related("player")))
        .order_by("number")
    )


@dataclass(frozen=True)
class OwnPart:
    """A player's part in a competition: the entry (None before there is one) and what the player may do.

    ``absences`` are the rounds to come that it will miss, ``games`` the running ones with a seat of the
    player's.
    """

    player: Player
    entry: Entry | None
    may: tuple[OwnVerb, ...]
    next_round: int
    absences: tuple[int, ...]
    games: tuple[str, ...]


def own_part(account: Account, competition: Competition) -> OwnPart:
    """Return the account's own part; raises PermissionDenied unless it has a player in the club."""
    player = permissions.require_player(competition.club_id, account)
    state = log.latest(competition)
    found = state.entry_with(str(player.pk))
    return OwnPart(
        player,
        entries_of(competition).get(pk=found.id) if found else None,
        own.offered(state, str(player.pk)),
        commands.next_round(state),
        own.absences(state, found) if found else (),
        own.games(state, str(player.pk)),
    )


def stages_of(competition: Competition) -> QuerySet[Stage]:
    """Return the stages in order."""
    return Stage.objects.filter(competition=competition).order_by("number")


def rounds_of(competition: Competition, *, drawn: bool = False) -> QuerySet[Round]:
    """Return the rounds with tables, seats and games, the last first; with ``drawn`` unpublished ones too."""
    byes = Bye.objects.select_related("entry").order_by("entry__number")
    rounds = Round.objects.filter(stage__competition=competition).select_related("stage")
    shown = rounds if drawn else rounds.exclude(status=Round.Status.DRAWN)
    tables = with_seats_and_games(Table.objects.order_by("number"))
    return shown.prefetch_related(Prefetch("tables", tables), Prefetch("byes", byes)).order_by(
        "-stage__number", "-number"
    )


def tables_of_competition(competition: Competition, *, drawn: bool = False) -> QuerySet[Table]:
    """Return the tables with who sits there and their games, as `rounds_of` does, the last round first."""
    tables = Table.objects.filter(round__stage__competition=competition).select_related("round__stage")
    shown = tables if drawn else tables.exclude(round__status=Round.Status.DRAWN)
    return with_seats_and_games(shown).order_by("-round__stage__number", "-round__number", "number")


def tables_of_player(player: Player) -> QuerySet[Table]:
    """Return the published tables at which a player sits, the last published first."""
    tables = Table.objects.filter(seats__player=player).exclude(round__status=Round.Status.DRAWN)
    shown = tables.select_related("round__stage__competition")
    return with_seats_and_games(shown).order_by(
        "-round__stage__competition__opened_at", "-round__stage__number", "-round__number", "number", "pk"
    )


def tables_to_print(round_: Round) -> QuerySet[Table]:
    """Return a round's tables in order, with all that a score sheet says of each."""
    tables = Table.objects.filter(round=round_).order_by("number")
    return with_seats_and_games(tables).select_related("round__stage__competition__club")


def with_seats_and_games(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with who sits there and their games."""
    seats = TableSeat.objects.select_related("entry", "player").order_by("number")
    games = ClubGame.objects.select_related("game").order_by("game__opened_at", "game")
    return tables.prefetch_related(Prefetch("seats", seats), Prefetch("games", games))


def standings_of(stage: Stage, *, after: int | None = None) -> QuerySet[Standing]:
    """Return the standings of a stage so far, or as they were after a round: each group, best first."""
    rows = Standing.objects.filter(stage=stage).select_related("entry")
    chosen = rows.filter(round=None) if after is None else rows.filter(round__number=after)
    return chosen.order_by("group", "rank")


def standings_as_of(competition: Competition) -> int:
    """Return the entry of the log that the standings reach up to, 0 before there are any."""
    reached = Standings.objects.filter(competition=competition).values_list("as_of", flat=True)
    return reached.first() or 0


def events_of(competition: Competition, *, withheld: bool = False) -> QuerySet[Event]:
    """Return the competition's public log, the last entry first; with ``withheld`` all of it."""
    told = Event.objects.filter(competition=competition).order_by("-seq")
    return told if withheld else log.public(told, competition)


def last_events(clubs: QuerySet[Club]) -> QuerySet[Event]:
    """Return the logs of all the clubs' competitions together, the last entry first."""
    events = Event.objects.filter(competition__club__in=clubs).select_related("competition")
    return events.order_by("-pk")


def organised_since(competition: Competition, seq: int) -> bool:
    """Return whether an organiser has written anything from the entry ``seq`` on."""
    by = Event.Role.ORGANISER
    return Event.objects.filter(competition=competition, seq__gte=seq, role=by).exists()


def names_in(events: Iterable[Event]) -> Mapping[str, str]:
    """Return the names of the entries and tables that events speak of, by id; two queries.

    A table's name begins with its stage where the competition has several.
    """
    told = {event.event.get(field) for event in events for field in ("entry", "table")} - {None}
    entries = Entry.objects.filter(pk__in=told).values_list("pk", "name")
    named = {str(pk): name for pk, name in entries}
    stages = Count("round__stage__competition__stages")
    tables = Table.objects.filter(pk__in=told).select_related("round__stage").annotate(stages=stages)
    return named | {str(table.pk): _table_name(table, table.stages > 1) for table in tables}


def _table_name(table: Table, with_stage: bool) -> str:
    place = {"stage": table.round.stage.name, "round": table.round.number, "table": table.number}
    if with_stage:
        return _("%(stage)s, round %(round)d, table %(table)d") % place
    return _("Round %(round)d, table %(table)d") % place


def stages_told(events: Iterable[Event]) -> Mapping[tuple[UUID, int], str]:
    """Return the stages' names by competition and number, of competitions that have several; one query."""
    competitions = {event.competition_id for event in events}
    stages = Stage.objects.filter(competition__in=competitions).order_by("competition_id", "number")
    found = {(stage.competition_id, stage.number): stage.name for stage in stages}
    several = {competition for competition, number in found if number > 1}
    return {
        (competition, number): name for (competition, number), name in found.items() if competition in several
    }


# ---- Games ---------------------------------------------------------------------------------------


def games() -> QuerySet[ClubGame]:
    """Return all games of clubs with what their lists show, the last opened first."""
    return ClubGame.objects.select_related("game", "club", "competition", "table__round").order_by(
        "-game__opened_at", "game"
    )


def seat_of(account: Account, game_id: UUID) -> int | None:
    """Return the seat that the account plays in a game, None for one that only watches."""
    mine = Player.objects.filter(account=account).values("pk")
    return Seat.objects.filter(game=game_id, player__in=mine).values_list("number", flat=True).first()


def choices_of(
    account: Account | None, place: ClubGame, position: Position, seat: int | None
) -> tuple[Choice, ...]:
    """Return what an account may do now from its seat, or without one as scorekeeper or organiser."""
    if seat is not None:
        return replay.choices(position, seat)
    if account is None or not (ruled := replay.ruling_choices(position)):
        return ()
    allowed = permissions.ruling_moves(place.club_id, account, position.ruleset)
    return tuple(choice for choice in ruled if choice.type in allowed)


@dataclass(frozen=True)
class SeatedPlayer:
    """Who sits where in a game; no player at a seat that nobody has."""

    seat: int
    team: int
    player: Player | None


def seated(game: Game) -> tuple[SeatedPlayer, ...]:
    """Return the game's seats with their players, in seat order; two queries."""
    return seated_at([game])[game.pk]


def seated_at(games: Sequence[Game]) -> Mapping[UUID, tuple[SeatedPlayer, ...]]:
    """Return the seats of each game by its id, as `seated` does; two queries for all."""
    seats = list(Seat.objects.filter(game__in=games).order_by("number"))
    players = Player.objects.in_bulk([seat.player for seat in seats if seat.player])
    found: dict[UUID, tuple[SeatedPlayer, ...]] = {game.pk: () for game in games}
    for seat in seats:
        player = players.get(seat.player) if seat.player else None
        found[seat.game_id] += (SeatedPlayer(seat.number, seat.team, player),)
    return found


@dataclass(frozen=True)
class OwnTable:
    """A game in which an account has a seat, and whether the game waits for that seat."""

    place: ClubGame
    my_turn: bool


def tables_of(account: Account, most: int = 50) -> tuple[OwnTable, ...]:
    """Return the account's tables: those that wait for it, others that run, the rest; two queries."""
    mine = Seat.objects.filter(player__in=Player.objects.filter(account=account).values("pk"))
    over = Case(When(game__status=Game.Status.ACTIVE, then=0), default=1)
    recent = games().filter(game__in=mine.values("game")).order_by(over, "-game__moved_at", "game")[:most]
    seats = dict(mine.values_list("game", "number"))
    tables = [OwnTable(place, seats[place.pk] in place.game.awaited) for place in recent]
    return tuple(sorted(tables, key=lambda table: not table.my_turn))


def games_of_club(club: Club) -> QuerySet[ClubGame]:
    """Return the club's games outside competitions, the last opened first."""
    return games().filter(club=club, competition=None)


def games_of_player(player: Player) -> QuerySet[ClubGame]:
    """Return the games in which the player has a seat, the last opened first."""
    return games().filter(game__in=Seat.objects.filter(player=player.pk).values("game"))


def entries_of_player(player: Player) -> QuerySet[Entry]:
    """Return the player's entries with their competitions, the last opened first."""
    mine = EntryPlayer.objects.filter(player=player).values("entry")
    return (
        Entry.objects.filter(pk__in=mine)
        .select_related("competition")
        .order_by("-competition__opened_at", "number")
    )


# ---- Ratings -------------------------------------------------------------------------------------


def ratings_of(player: Player) -> QuerySet[Rating]:
    """Return the player's ratings, one for each game, the most often rated first."""
    return Rating.objects.filter(player=player).order_by("-games", "ruleset")


def rating_history(player_id: UUID, ruleset: str) -> QuerySet[GameRating]:
    """Return what each rated game did to a player's rating, the last that ended first."""
    rows = GameRating.objects.filter(player=player_id, ruleset=ruleset)
    return rows.order_by("-ended_at", "-game_id")


def rating_list(club: Club, ruleset: str) -> QuerySet[Rating]:
    """Return the ratings of the club's active players in a game: whose skill is surest to be high, first."""
    rows = Rating.objects.filter(club=club, ruleset=ruleset, player__active=True).select_related("player")
    return rows.order_by("-sure_points", "-points", "player__search_name", "player_id")


def rated_rulesets(club: Club) -> Sequence[str]:
    """Return the games in which the club has a rating list, the one of most players first."""
    counted = Rating.objects.filter(club=club, player__active=True).values("ruleset").order_by()
    found = counted.annotate(players=Count("pk")).order_by("-players", "ruleset")
    return [row["ruleset"] for row in found]


def reminders_due(now: datetime) -> Sequence[Reminder]:
    """Return whom to remind of which table now, before its round's deadline or their own (aware time)."""
    return reminders.due(now)
