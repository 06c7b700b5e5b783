"""Every read worth a name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Case, QuerySet, When

from games.models import Game, Seat
from league.models import Account, Club, ClubGame, Member, Player, Token
from league.models.names import search_key

# ---- Clubs ---------------------------------------------------------------------------------------


def clubs() -> QuerySet[Club]:
    """Return all clubs by name: that a club is here is public."""
    return Club.objects.order_by("name", "id")


def clubs_of(account: Account, *roles: str) -> QuerySet[Club]:
    """Return the clubs where the account has a role, or one of the roles if any are named."""
    mine = Member.objects.filter(account=account)
    chosen = mine.filter(role__in=roles) if roles else mine
    return Club.objects.filter(pk__in=chosen.values("club")).order_by("name", "id")


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
