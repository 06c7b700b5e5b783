"""Casual games that members open: who is invited first, and what the invited players answer."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time, log
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Stale
from games.engine.replay import Actor
from games.models import Game
from league.choices import TokenScope
from league.models import Account, Club, ClubGame, Member
from league.queries import permissions
from league.queries.games import seat_of
from league.queries.invited_games import agreed, made_by
from league.services import account_events, endings

MOST_OPEN: Final = 10
MOST_A_DAY: Final = 50


# ---- Opening -------------------------------------------------------------------------------------


def seats_to_ask(club: Club, by: Account, players: Sequence[UUID]) -> tuple[int, ...]:
    """Return the seats whose players have not agreed to a game that a member opens.

    Nobody is asked who opens the game, or whose account lets games of the club begin without asking.
    """
    known = agreed(club, by)
    return tuple(seat for seat, player in enumerate(players) if player not in known)


def check_pace(by: Account) -> None:
    """Raise `Illegal` for a member with too many unanswered games, or too many in a day.

    The account is locked, so that two requests at once do not pass together.
    """
    Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    mine = made_by(by)
    if mine.filter(game__status=Game.Status.INVITED).count() >= MOST_OPEN:
        raise Illegal(
            text(
                "%(most)s of your games still wait for answers. Wait, or call one of them off.",
                most=MOST_OPEN,
            )
        )
    if mine.filter(game__opened_at__gt=database_time.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise Illegal(text("A member can open at most %(most)s games in 24 hours.", most=MOST_A_DAY))


@transaction.atomic
def choose_to_be_asked(*, by: Account, club: Club, asked: bool) -> Member:
    """Return the account's membership, with its choice whether games of other members wait for its answer.

    Raises PermissionDenied.
    """
    permissions.require_member(club.pk, by, TokenScope.PLAY_ENTER)
    member = Member.objects.select_for_update(no_key=True).get(club=club, account=by)
    member.agrees_to_games = not asked
    member.save(update_fields=["agrees_to_games"])
    return member


# ---- Answers -------------------------------------------------------------------------------------


def accept_game(*, by: Account, game_id: UUID) -> Game:
    """Accept an invitation for the account's seat; the game begins with the last answer.

    An organiser without a seat that is asked begins the game without the missing answers. Accepting again
    changes nothing. Raises `Illegal`, PermissionDenied and Game.DoesNotExist.
    """
    while True:
        game = _club_game(game_id).game
        seat = seat_of(by, game_id)
        if game.is_over:
            raise Illegal(text("This game was called off.") if game.unanswered else text("The game is over."))
        if seat is not None and seat not in game.unanswered:
            return game
        actor, move = _answer(by, game, seat)
        if game.status != Game.Status.INVITED:
            return game
        with suppress(Stale):
            return _append(game, actor, move, by)


def _answer(by: Account, game: Game, seat: int | None) -> tuple[Actor, JsonObject]:
    if seat is not None:
        permissions.require_scope(by, TokenScope.PLAY_ENTER)
        return Actor("seat", seat), {"type": "accept_invitation"}
    if not permissions.is_organiser(_club_game(game.pk).club_id, by):
        raise PermissionDenied(text("You are not invited to this game."))
    return Actor("arbiter"), {"type": "begin"}


def decline_game(*, by: Account, game_id: UUID) -> Game:
    """Call a game off that has not begun, as any of its players; doing so again changes nothing.

    Raises `Illegal` for a game that has begun, PermissionDenied and Game.DoesNotExist.
    """
    permissions.require_scope(by, TokenScope.PLAY_ENTER)
    while True:
        game = _club_game(game_id).game
        seat = seat_of(by, game_id)
        if seat is None:
            raise PermissionDenied(text("You are not invited to this game."))
        if not game.unanswered:
            raise Illegal(text("The game has begun."))
        if game.is_over:
            return game
        with suppress(Stale):
            return _append(game, Actor("seat", seat), {"type": "decline_invitation"}, by)


def lapse_game(*, game_id: UUID) -> Game:
    """Abandon a game that somebody left unanswered; one that has begun or is over stays as it is."""
    while True:
        game = Game.objects.get(pk=game_id)
        if game.status != Game.Status.INVITED:
            return game
        with suppress(Stale):
            return _append(game, Actor("clock"), {"type": "lapse"}, None)


@transaction.atomic
def _append(game: Game, actor: Actor, move: JsonObject, by: Account | None) -> Game:
    appended = log.append(
        game_id=game.pk,
        seq=game.seq + 1,
        actor=actor,
        move=move,
        account=str(by.pk) if by else None,
        ended=endings.settle_game,
    )
    if appended.created and appended.game.status == Game.Status.ACTIVE:
        account_events.write_begun(appended.game)
    return appended.game


def _club_game(game_id: UUID) -> ClubGame:
    club_game = ClubGame.objects.select_related("game").filter(game=game_id).first()
    if club_game is None:
        raise Game.DoesNotExist
    return club_game
