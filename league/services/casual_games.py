"""Casual games: opened by organisers, members and players who have agreed; what the invited answer."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time, log
from games.engine import shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league.callers import ByAccount, ByClock
from league.choices import BotsPlay, TokenScope
from league.models import Account, Club, ClubGame, Member, Player
from league.projections.appearing import appear
from league.queries import permissions
from league.queries.clubs import accounts_of, kept_apart, kept_out
from league.queries.games import agreed, club_game_of, made_by, rematch_of, seat_of, seated
from league.services import account_events
from league.services.channel import tell, topic
from league.services.play import Due, make_moves_due

MOST_OPEN: Final = 10
MOST_A_DAY: Final = 50


# ---- Opening -------------------------------------------------------------------------------------


@transaction.atomic
def open_casual_game(
    *,
    by: Account,
    club: Club,
    ruleset: str,
    options: object,
    players: Sequence[UUID],
    entropy: bool = False,
    clock: Clock = NO_CLOCK,
) -> Game:
    """Return a new game of the club, outside any competition, its players in seat order.

    An organiser's begins at once, unless a token without the scope ``club:organise`` opens it; a member's
    when the others have agreed. Raises `Malformed`, `Illegal` for a member with too many games, and
    PermissionDenied for anybody else.
    """
    permissions.require_member(club.pk, by, TokenScope.PLAY_ENTER, TokenScope.CLUB_ORGANISE)
    _check_players(club, players)
    asks = not permissions.is_organiser(club.pk, by)
    if asks:
        _check_apart(by, players)
        _check_pace(by)
    return _open(
        ClubGame(club=club, made_by=by if asks else None),
        by,
        ruleset=ruleset,
        options=options,
        players=players,
        entropy=entropy,
        clock=in_zone_of(club, clock),
        invited=_seats_to_ask(club, by, players) if asks else (),
    )


@transaction.atomic
def open_agreed_game(
    *, by: Account, club: Club, ruleset: str, options: object, players: Sequence[UUID], clock: JsonObject
) -> Game:
    """Return a new casual game of the club that begins at once: its players have agreed to just this.

    Raises `Malformed`.
    """
    _check_players(club, players)
    return _open(
        ClubGame(club=club, made_by=by), by, ruleset=ruleset, options=options, players=players, clock=clock
    )


@transaction.atomic
def open_rematch(*, by: Account, game_id: UUID) -> tuple[Game, bool]:
    """Return the rematch of a finished game, and whether this call opened it.

    The players move up a seat each, and the first comes last; rules, options and clock are the same. The
    others are invited as to any member's game. A game has one rematch, unless that was called off: who asks
    for it again accepts it. Raises `Illegal`, PermissionDenied and Game.DoesNotExist.
    """
    by.require_scope(TokenScope.PLAY_ENTER)
    club_game = club_game_of(game_id)
    game, club = club_game.game, club_game.club
    if seat_of(by, game_id) is None:
        raise PermissionDenied(text("You have no seat at this table."))
    if game.status != Game.Status.FINISHED:
        raise Illegal("There is a rematch when the game is finished.")
    # The row of the game is the lock: its players press the button at the same time.
    ClubGame.objects.select_for_update(of=("self",)).get(pk=game_id)
    earlier = rematch_of(game)
    if earlier is not None:
        return accept_game(by=by, game_id=earlier.pk), False
    _check_pace(by)
    players = _moved_up(game)
    _check_players(club, players)
    _check_apart(by, players)
    opened = _open(
        ClubGame(club=club, made_by=by, rematch_of=game),
        by,
        ruleset=game.ruleset,
        options=game.options,
        players=players,
        clock=game.clock,
        invited=_seats_to_ask(club, by, players),
    )
    return opened, True


def _moved_up(game: Game) -> Sequence[UUID]:
    """Return the players of a game as they sit in its rematch; raise `Illegal` where a seat has none."""
    players = [seat.player.pk for seat in seated(game) if seat.player]
    if len(players) != game.seats.count():
        raise Illegal("Not everybody who played is a player of the club now.")
    return [*players[1:], players[0]]


def _open(club_game: ClubGame, by: Account, *, players: Sequence[UUID], **settings: Any) -> Game:
    """Open the game of a row that is not written yet, tell its players, and return it."""
    playing = [*map(accounts_of(players).get, players)]
    game = log.open_game(players=players, account=str(by.pk), accounts=playing, **settings)
    appear(players)
    club_game.game = game
    club_game.save(force_insert=True)
    account_events.write_opened([game], {game.pk: club_game})
    tell([topic("club", club_game.club_id)])
    return game


def in_zone_of(club: Club, clock: Clock) -> JsonObject:
    """Return a clock's settings, its quiet hours in the club's zone where they name no other."""
    return shapes.write(replace(clock, zone=clock.zone or club.timezone) if clock.quiet else clock)


NO_BOTS: Final = text("The club does not let bots play here.")


def _check_players(club: Club, players: Sequence[UUID]) -> None:
    """Raise `Malformed` for each seat whose player is not an active one of the club, or may not sit there."""
    out = kept_out(club, BotsPlay.CASUAL, players)
    known = {*Player.objects.filter(club=club, active=True, pk__in=players).values_list("pk", flat=True)}
    errors: dict[str, list[str]] = {}
    for seat, player in enumerate(players):
        if player not in known:
            errors[f"players.{seat}"] = [text("The club has no such active player.")]
        elif player in players[:seat]:
            errors[f"players.{seat}"] = [text("This player has a seat already.")]
        elif player in out:
            errors[f"players.{seat}"] = [NO_BOTS]
    if errors:
        raise Malformed(errors)


def _check_apart(by: Account, players: Sequence[UUID]) -> None:
    """Raise `Malformed` for each seat whose player is not to be asked by an account, without saying why."""
    apart = kept_apart(by.pk)
    known = accounts_of(players) if apart else {}
    errors = {
        f"players.{seat}": [text("You can’t invite this player.")]
        for seat, player in enumerate(players)
        if known.get(player) in apart
    }
    if errors:
        raise Malformed(errors)


def _seats_to_ask(club: Club, by: Account, players: Sequence[UUID]) -> tuple[int, ...]:
    """Return the seats whose players have not agreed to a game that a member opens.

    Nobody is asked who opens the game, or whose account lets games of the club begin without asking.
    """
    known = agreed(club, by)
    return tuple(seat for seat, player in enumerate(players) if player not in known)


def _check_pace(by: Account) -> None:
    """Raise `Illegal` for a member with too many unanswered games, or too many in a day.

    The account is locked, so that two requests at once do not pass together.
    """
    Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    mine = made_by(by)
    if mine.filter(game__status=Game.Status.INVITED).count() >= MOST_OPEN:
        raise Illegal(
            "%(most)s of your games still wait for answers. Wait, or call one of them off.", most=MOST_OPEN
        )
    if mine.filter(game__opened_at__gt=database_time.now() - timedelta(days=1)).count() >= MOST_A_DAY:
        raise Illegal("A member can open at most %(most)s games in 24 hours.", most=MOST_A_DAY)


# ---- Answers -------------------------------------------------------------------------------------


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


def accept_game(*, by: Account, game_id: UUID) -> Game:
    """Accept an invitation for the account's seat; the game begins with the last answer.

    An organiser without a seat that is asked begins the game without the missing answers. Accepting again
    changes nothing. Raises `Illegal`, PermissionDenied and Game.DoesNotExist.
    """
    club, seat = club_game_of(game_id).club_id, seat_of(by, game_id)

    def answer(game: Game) -> Due | None:
        if game.is_over:
            raise Illegal(text("This game was called off.") if game.unanswered else text("The game is over."))
        if seat is not None and seat not in game.unanswered:
            return None
        if seat is None and not permissions.is_organiser(club, by):
            raise PermissionDenied(text("You are not invited to this game."))
        if game.status != Game.Status.INVITED:
            return None
        return ByAccount(by), {"type": "begin" if seat is None else "accept_invitation"}

    return make_moves_due(game_id, answer)


def decline_game(*, by: Account, game_id: UUID) -> Game:
    """Call a game off that has not begun, as any of its players; doing so again changes nothing.

    Raises `Illegal` for a game that has begun, PermissionDenied and Game.DoesNotExist.
    """
    by.require_scope(TokenScope.PLAY_ENTER)
    club_game_of(game_id)
    if seat_of(by, game_id) is None:
        raise PermissionDenied(text("You are not invited to this game."))

    def answer(game: Game) -> Due | None:
        if not game.unanswered:
            raise Illegal("The game has begun.")
        return None if game.is_over else (ByAccount(by), {"type": "decline_invitation"})

    return make_moves_due(game_id, answer)


def lapse_game(*, game_id: UUID) -> Game:
    """Abandon a game that somebody left unanswered; one that has begun or is over stays as it is."""

    def lapse(game: Game) -> Due | None:
        return (ByClock(), {"type": "lapse"}) if game.status == Game.Status.INVITED else None

    return make_moves_due(game_id, lapse)
