"""Every read worth a name."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from games.models import Game, Seat
from league.models import Account, Club, ClubGame, Member, Player
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


# ---- Games ---------------------------------------------------------------------------------------


def games() -> QuerySet[ClubGame]:
    """Return all games of clubs with what their lists show, the last opened first."""
    return ClubGame.objects.select_related("game", "club", "competition", "table").order_by(
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
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    players = Player.objects.in_bulk([seat.player for seat in seats if seat.player])
    return tuple(
        SeatedPlayer(seat.number, seat.team, players.get(seat.player) if seat.player else None)
        for seat in seats
    )
