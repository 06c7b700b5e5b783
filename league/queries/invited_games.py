"""Casual games that have not begun: whose answer is missing, and since when."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import F, Q, QuerySet

from games import database_time
from games.models import Game, Seat
from league.models import Account, Club, ClubGame, Member, Player
from league.queries.games import CALLED_OFF, SeatedPlayer, all_games, seated_at

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
