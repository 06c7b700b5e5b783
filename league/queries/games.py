"""Games of clubs and their players."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, TypeVar
from uuid import UUID

from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from games import database_time, log, rules
from games.engine.jsontypes import JsonObject
from games.engine.paper import PaperCard
from games.engine.replay import AnyRuleset, Position
from games.models import Game, Seat
from league import hooks
from league.models import (
    Account,
    Club,
    ClubGame,
    Competition,
    Entry,
    GameRating,
    Member,
    Player,
    Table,
    TableSeat,
)
from league.queries.clubs import ids_of

if TYPE_CHECKING:
    from games.models.moves import Move
    from league.hooks import Visitor


Row = TypeVar("Row", bound=Model)
GUEST_SEAT: Final = 0
"""The seat of a visitor in a game of no club."""
CALLED_OFF: Final = Q(game__status=Game.Status.ABANDONED) & ~Q(game__unanswered=[])
"""The condition that a casual game was called off before everybody had agreed to it."""
channel_of = log.channel_of


def all_games() -> QuerySet[ClubGame]:
    """Return all games of clubs, with related rows for lists, the last opened first, as their ids say."""
    return ClubGame.objects.select_related(
        "game__imported", "club", "competition", "table__round__stage"
    ).order_by("-pk")


def defining_options(ruleset: str) -> JsonObject | None:
    """Return the options of a competition or casual game that define a club's own game, by its name.

    A name made of its ``game_key`` finds those of a rated competition.
    """
    of_competitions = (
        Competition.objects.filter(ruleset=ruleset).order_by("pk").values_list("options", flat=True)
    )
    casual = ClubGame.objects.filter(competition=None, game__ruleset=ruleset).order_by("pk")
    rated = GameRating.objects.filter(ruleset=ruleset.partition("@")[0]).order_by("pk")
    found: JsonObject | None = (
        of_competitions.first()
        or casual.values_list("game__options", flat=True).first()
        or rated.values_list("competition__options", flat=True).first()
    )
    return found


def games_known(club: Club) -> Collection[str]:
    """Return the keys of the games that come with the server and of those that a club has played."""
    of_competitions = Competition.objects.filter(club=club).order_by().values_list("ruleset", flat=True)
    return {*rules.NEWEST, *map(rules.game_key, of_competitions.distinct())}


def of_game(rows: QuerySet[Row], field: str, value: str) -> QuerySet[Row]:
    """Return the rows of a ruleset by its name, or by a key: of all its versions, or with all its words."""
    if "@" in value:
        return rows.filter(**{field: value})
    exact = rows.filter(**{f"{field}__startswith": f"{value}@"})
    frame = rules.NEWEST.get(value.rpartition("-")[0])
    if not frame or not frame.defined_by or exact.exists():
        return exact
    defined = rows.filter(**{f"{field}__startswith": f"{frame.key}-"}).order_by()
    names = defined.values_list(field, flat=True).distinct()
    return rows.filter(**{f"{field}__in": [name for name in names if rules.game_key(name) == value]})


def games_of_visitor(visitor: Visitor) -> QuerySet[Game]:
    """Return the games of no club that a visitor plays: nobody else sees anything of them."""
    return reduce(or_, (games(visitor) for games in hooks.GUEST_GAMES), Game.objects.none())


def table_for(visitor: Visitor, game_id: UUID) -> ClubGame:
    """Return a game of a club, or of no club where the visitor plays it; raises Game.DoesNotExist."""
    if found := all_games().filter(pk=game_id).first():
        return found
    game = games_of_visitor(visitor).select_related("imported").get(pk=game_id)
    return ClubGame(game=game, club=Club(name=_("Practice"), timezone=visitor.zone))


def club_game_of(game_id: UUID) -> ClubGame:
    """Return a game of a club, with its table and round; raises Game.DoesNotExist for any other."""
    found = ClubGame.objects.select_related("game", "club", "table__round").filter(game=game_id).first()
    if found is None:
        raise Game.DoesNotExist
    return found


def game_of(game_id: UUID) -> Game:
    """Return a game without its club, no practice game; raises Game.DoesNotExist."""
    return Game.kept.get(pk=game_id)


def streamed_game(game_id: UUID) -> Game:
    """Return any game, whose page follows its moves; raises Game.DoesNotExist."""
    return Game.objects.get(pk=game_id)


def last_end(game: Game, after: int, at: int) -> int | None:
    """Return the last entry after one and up to another that has ended a deal, None where none has.

    Raises `NotReplayable`.
    """
    return max((seq for seq, _ in log.latest(game).ends if after < seq <= at), default=None)


def draws_of(game: Game) -> Sequence[JsonObject]:
    """Return every shuffle and roll of a game that is over; none before. Raises `NotReplayable`."""
    ruleset_of(game)
    return log.draws(game)


def ruleset_of(game: Game) -> AnyRuleset:
    """Return the game's ruleset in its version; raises `NotReplayable`."""
    return log.ruleset_of(game)


def entries_after(game: Game, seq: int) -> Sequence[Move]:
    """Return the entries of a game's log after ``seq``, in order, as far as the game's row was when read.

    What later entries brought can't be told from that row.
    """
    return [entry for entry in log.entries(game, seq) if entry.seq <= game.seq]


def seat_of(account: Account, game_id: UUID) -> int | None:
    """Return the seat that the account plays in a game, None for a spectator."""
    return seats_of(account, [game_id]).get(game_id)


def seats_of(account: Account, games: Iterable[UUID]) -> Mapping[UUID, int]:
    """Return the seat that the account plays, by the game's id; games in which it plays none are left out."""
    played = Seat.objects.filter(game__in=games, account=account.pk).order_by("-number")
    return dict(played.values_list("game", "number"))


def sides_at(position: Position, table: Table | None) -> Sequence[Hashable]:
    """Return the side of each seat: its entry where partners share a table, else its team in the game."""
    entries = [seat.entry_id for seat in table.seats.all()] if table else []
    return entries if len({*entries}) < len(entries) else position.teams


def sides_of_seats(club_game: ClubGame | None, seats: Iterable[tuple[int, int]]) -> Mapping[int, Hashable]:
    """Return the side of each seat, of which number and team are given: partners have their entry."""
    table = club_game.table if club_game else None
    at = {seat.number: seat.entry_id for seat in table.seats.all()} if table else {}
    return at if len({*at.values()}) < len(at) else dict(seats)


def partners_at(table: Table | None) -> tuple[Entry, ...]:
    """Return the entry of each seat of a table that partners share, none for other tables; one query."""
    entries = tuple(seat.entry for seat in table.seats.select_related("entry")) if table else ()
    return entries if len({*entries}) < len(entries) else ()


def partners_are_left(entries: Sequence[Hashable], out: Container[object]) -> bool:
    """Return whether partners alone are left in a game, given the entry of each seat and who is out."""
    left = [entry for seat, entry in enumerate(entries) if seat not in out]
    return len({*left}) == 1 < len(left)


def of_own_side(position: Position, table: Table | None, seat: int | None, number: object) -> bool:
    """Return whether a round of a card waits for another side than a seat's: this side has entered it."""
    entries = position.state.entries if isinstance(position.ruleset, PaperCard) else ()
    if seat is None or not (isinstance(number, int) and 1 <= number <= len(entries)):
        return False
    by, sides = entries[number - 1].by, sides_at(position, table)
    return not entries[number - 1].agreed and by is not None and sides[by] == sides[seat]


@dataclass(frozen=True)
class SeatedPlayer:
    """A seat of a game with its player, if it has one, and the id of the account that plays it.

    ``guest`` says that somebody practises here without an account; ``gone``, that the game runs and its entry
    has withdrawn from the competition.
    """

    seat: int
    team: int
    player: Player | None
    account: UUID | None
    guest: bool
    gone: bool


def seated(game: Game) -> tuple[SeatedPlayer, ...]:
    """Return the game's seats with their players, in seat order; two queries."""
    return seated_at([game])[game.pk]


def seated_at(games: Sequence[Game]) -> Mapping[UUID, tuple[SeatedPlayer, ...]]:
    """Return the seats of each game by its id, as `seated` does; two queries for all."""
    left = Entry.objects.filter(
        status=Entry.Status.WITHDRAWN,
        seats__table__games=OuterRef("game"),
        # An expression, though the stubs know only whole numbers.
        seats__number=OuterRef("number").bitxor((OuterRef("game__club_game__number") + 1) % 2),  # type: ignore[arg-type]
    )
    seats = list(Seat.objects.filter(game__in=games).annotate(gone=Exists(left)).order_by("number"))
    running = {game.pk for game in games if not game.is_over}
    known = Player.objects.select_related("merged_into")
    players = known.in_bulk([seat.player for seat in seats if seat.player])
    practice = {game.pk for game in games if game.practice}
    seated_players: dict[UUID, tuple[SeatedPlayer, ...]] = {game.pk: () for game in games}
    for seat in seats:
        player = players.get(seat.player) if seat.player else None
        now = player.merged_into or player if player else None
        seated_players[seat.game_id] += (
            SeatedPlayer(
                seat.number,
                seat.team,
                now,
                seat.account,
                seat.game_id in practice and not seat.account,
                seat.gone and seat.game_id in running,
            ),
        )
    return seated_players


def with_rulings(games: QuerySet[ClubGame]) -> QuerySet[ClubGame]:
    """Return games with what `ruling_of` needs; three queries more for all."""
    return games.prefetch_related("table__seats__player")


def ruling_of(club_game: ClubGame) -> tuple[TableSeat, ...]:
    """Return the seats of a game's table, the best first, where its result was set by hand; else none."""
    if not club_game.ruled or club_game.table is None:
        return ()
    return tuple(sorted(club_game.table.seats.all(), key=lambda seat: (seat.rank or 0, seat.number)))


def with_result(games: QuerySet[ClubGame]) -> QuerySet[ClubGame]:
    """Return those of the games that count as played: finished ones, and the last of each ruled table."""
    later = ClubGame.objects.filter(table=OuterRef("table"), game__opened_at__gt=OuterRef("game__opened_at"))
    ruled = Q(table__ruled=True) & ~Exists(later)
    played = Q(table=None) | Q(table__ruled=False)
    return games.filter(ruled | Q(played, game__status=Game.Status.FINISHED))


def placings_of(club_game: ClubGame) -> Mapping[int, Mapping[str, int]]:
    """Return rank and score of each seat with a result, by a ruling if there is one.

    Ranks are counted among the sides: of two teams the losers are 2nd.
    """
    if ruling := ruling_of(club_game):
        turn = club_game.turn
        return {seat.number ^ turn: {"rank": seat.rank or 0, "score": seat.score or 0} for seat in ruling}
    rows = (club_game.game.result or {}).get("seats", ())
    entries = [seat.entry_id for seat in club_game.table.seats.all()] if club_game.table else ()
    places = rules.places(club_game.game.ruleset, [row["rank"] for row in rows], entries)
    return {row["seat"]: {**row, "rank": place} for row, place in zip(rows, places, strict=True)}


def shown_placings_of(club_game: ClubGame) -> Mapping[int, Mapping[str, int]]:
    """Return what `placings_of` does as it counts: who has left the others has a rank, and no score."""
    seats = club_game.table.seats.all() if club_game.table else ()
    left = {seat.number ^ club_game.turn for seat in seats if seat.has_left}
    return {
        seat: {name: value for name, value in placing.items() if name != "score" or seat not in left}
        for seat, placing in placings_of(club_game).items()
    }


def games_of_club(club: Club) -> QuerySet[ClubGame]:
    """Return the club's games outside competitions that have begun, the last opened first."""
    return all_games().filter(club=club, competition=None, game__unanswered=[])


def games_of_player(player: Player) -> QuerySet[ClubGame]:
    """Return the games in which the player has a seat, the last opened first, if they have begun."""
    mine = Seat.objects.filter(player__in=ids_of(pk=player.pk)).values("game")
    return all_games().filter(game__in=mine, game__unanswered=[])


# ---- Casual games that have not begun ------------------------------------------------------------

GOOD_FOR: Final = timedelta(days=7)
"""How long an invitation to a game can be answered."""


def agreed(club: Club, by: Account) -> Collection[UUID]:
    """Return the players of a club with whom the account's games begin without asking."""
    agreeing = Member.objects.filter(club=club, agrees_to_games=True).values("account")
    players = Player.objects.filter(Q(account=by) | Q(account__in=agreeing), club=club)
    return {*players.values_list("pk", flat=True)}


def made_by(account: Account) -> QuerySet[ClubGame]:
    """Return the casual games that the account opened as a member."""
    return ClubGame.objects.filter(made_by=account, competition=None)


def games_unanswered() -> Sequence[UUID]:
    """Return the games whose invitations have lapsed."""
    old = Game.objects.filter(status=Game.Status.INVITED, opened_at__lte=database_time.now() - GOOD_FOR)
    return list(old.order_by("opened_at", "pk").values_list("pk", flat=True))


def games_awaiting(account: Account) -> QuerySet[Game]:
    """Return the games that wait for the account: for a move, or for its answer to an invitation."""
    turn = Q(game__awaited__contains=[F("number")])
    asked = Q(game__status=Game.Status.INVITED, game__unanswered__contains=[F("number")])
    mine = Seat.objects.filter(turn | asked, account=account.pk)
    return Game.objects.filter(pk__in=mine.values("game"))


def rematch_of(game: Game) -> ClubGame | None:
    """Return the rematch of a game, None where nobody has asked for one or it was called off."""
    return all_games().filter(rematch_of=game).exclude(CALLED_OFF).first()


def waiting_for(account: Account) -> QuerySet[ClubGame]:
    """Return the invited games in which the answer of the account is missing, the oldest first."""
    mine = Seat.objects.filter(
        account=account.pk,
        game__status=Game.Status.INVITED,
        game__unanswered__contains=[F("number")],
    )
    return all_games().filter(game__in=mine.values("game")).order_by("game__opened_at", "game")


def asking_player(club_game: ClubGame, seats: Sequence[SeatedPlayer]) -> Player | None:
    """Return as whom the account plays that opened a casual game, at its table or else in its club."""
    by = club_game.made_by_id
    if by is None:
        return None
    at_table = next((seat.player for seat in seats if seat.account == by), None)
    return at_table or Player.objects.filter(account=by, club=club_game.club_id).first()


@dataclass(frozen=True)
class GameInvitation:
    """A game to which an account is invited: who else plays, and until when it can answer."""

    club_game: ClubGame
    seats: Sequence[SeatedPlayer]
    until: datetime


def invitations_of(account: Account, most: int = 50) -> Sequence[GameInvitation]:
    """Return the account's unanswered invitations to games, the oldest first; three queries."""
    games = list(waiting_for(account)[:most])
    seats = seated_at([each.game for each in games])
    return [GameInvitation(each, seats[each.game_id], until(each.game)) for each in games]


def until(game: Game) -> datetime:
    """Return until when an invitation to a game can be answered."""
    return game.opened_at + GOOD_FOR
