"""Games at their tables: casual ones opened, and moves made in any."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time, log
from games.engine import clocks, shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.common_moves import ALLOWED
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed, Stale
from games.engine.replay import Actor
from games.log import Appended
from games.models import Game
from league.choices import BotsPlay, TokenScope
from league.models import Account, Club, ClubGame, Kiosk, Player, SeatCode
from league.queries import permissions, reading, score_cards
from league.queries.bots import kept_out
from league.queries.clubs import accounts_of
from league.queries.games import of_own_side, seat_of, seated
from league.queries.invited_games import rematch_of
from league.queries.reading import GameRead
from league.queries.seat_codes import good_code, open_tables
from league.services import account_events, endings, handing_over, invited_games, notices
from league.services.accounts import Used, live
from league.services.channel import tell, topic

_MOST_AT_ONCE: Final = 100
_ANSWERS: Final = ("accept_invitation", "decline_invitation")
_CONFIRM: Final = "confirm"
_BEGIN: Final = "begin"
"""What `games/{id}/accept/` and `decline/` write, too: it needs their scopes."""


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
        invited_games.check_pace(by)
    return _open(
        ClubGame(club=club, made_by=by if asks else None),
        by,
        ruleset=ruleset,
        options=options,
        players=players,
        entropy=entropy,
        clock=in_zone_of(club, clock),
        invited=invited_games.seats_to_ask(club, by, players) if asks else (),
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
    permissions.require_scope(by, TokenScope.PLAY_ENTER)
    club_game = _club_game(game_id)
    game, club = club_game.game, club_game.club
    if seat_of(by, game_id) is None:
        raise PermissionDenied(text("You have no seat at this table."))
    if game.status != Game.Status.FINISHED:
        raise Illegal(text("There is a rematch when the game is finished."))
    # The row of the game is the lock: its players press the button at the same time.
    ClubGame.objects.select_for_update(of=("self",)).get(pk=game_id)
    earlier = rematch_of(game)
    if earlier is not None:
        return invited_games.accept_game(by=by, game_id=earlier.pk), False
    invited_games.check_pace(by)
    players = _moved_up(game)
    _check_players(club, players)
    opened = _open(
        ClubGame(club=club, made_by=by, rematch_of=game),
        by,
        ruleset=game.ruleset,
        options=game.options,
        players=players,
        clock=game.clock,
        invited=invited_games.seats_to_ask(club, by, players),
    )
    return opened, True


def _moved_up(game: Game) -> Sequence[UUID]:
    """Return the players of a game as they sit in its rematch; raise `Illegal` where a seat has none."""
    players = [seat.player.pk for seat in seated(game) if seat.player]
    if len(players) != game.seats.count():
        raise Illegal(text("Not everybody who played is a player of the club now."))
    return [*players[1:], players[0]]


def _open(club_game: ClubGame, by: Account, *, players: Sequence[UUID], **settings: Any) -> Game:
    """Open the game of a row that is not written yet, tell its players, and return it."""
    playing = [*map(accounts_of(players).get, players)]
    game = log.open_game(players=players, account=str(by.pk), accounts=playing, **settings)
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


@transaction.atomic
def make_move(
    *,
    by: Account,
    game_id: UUID,
    seq: int,
    move: object,
    keeps_scores: bool = False,
) -> Appended:
    """Append the account's move, of its seat or as arbiter, at the expected ``seq``; return the answer.

    An account that ``keeps_scores`` enters results as scorekeeper where it is one, even if it has a seat. The
    same move at the same seq again is answered as before. Raises `Malformed`, `Illegal`, `Stale`,
    `NotReplayable`, PermissionDenied and Game.DoesNotExist; then nothing has changed.
    """
    actor = _actor(by, game_id, _kind(move), keeps_scores)
    if actor.role == "arbiter":
        _refuse_late_amendment(game_id, seq, _kind(move))
    _refuse_own_side(game_id, actor.seat, move)
    former = None
    if isinstance(move, Mapping) and move.get("type") == "hand_over":
        move, former = handing_over.with_account(game_id, seq, move)
    made = log.append(
        game_id=game_id, seq=seq, actor=actor, move=move, account=str(by.pk), ended=endings.settle_game
    )
    if former and made.created:
        notices.write_handed_over(made, former)
        account_events.write_handed_over(made, former)
    return made


@transaction.atomic
def make_moves(*, by: Account, game_id: UUID, seq: int, moves: Sequence[JsonObject]) -> Appended:
    """Append several moves of the account, the first at the expected ``seq``: all of them or none.

    They are of its seat, or all of them its entries as scorekeeper or organiser; a ruling is made by itself.
    The answer's entry is the last one. The same moves at the same seq again are answered as before. Raises as
    `make_move` does.
    """
    actors = set()
    for number, move in enumerate(moves):
        if _kind(move) in ALLOWED["arbiter"]:
            raise Illegal(text("A ruling is sent by itself."), fields=[str(number)])
        actors.add(actor := _actor(by, game_id, _kind(move), keeps_scores=False))
        _refuse_own_side(game_id, actor.seat, move)
        _refuse_late_amendment(game_id, seq, _kind(move))
    if len(actors) > 1:
        raise Illegal(text("These moves are not all of one seat, or all without one: send them one by one."))
    return log.append_all(
        game_id=game_id,
        seq=seq,
        actor=actors.pop(),
        moves=moves,
        account=str(by.pk),
        ended=endings.settle_game,
    )


def make_move_at_once(*, token: Used, game_id: UUID, seq: int, move: object) -> GameRead | None:
    """Append a move of the seat of a token's account in one statement, and return the game as it left it.

    The statement looks again at token, account, seat and all that the answer shows beside the log. None where
    anything is unusual, or has changed since this process last looked: then nothing is written, and
    `make_move` decides. Raises PermissionDenied for a token without the scope.
    """
    place, by = reading.last_place(game_id), token.account
    seat = place.seat_of(by.pk) if place else None
    if place is None or seat is None or _kind(move) in (*ALLOWED["arbiter"], _CONFIRM):
        return None
    made = log.append_if(
        game_id=game_id,
        seq=seq,
        actor=_seated(by, seat, _kind(move)),
        move=move,
        account=str(by.pk),
        guard=log.both(live(token), reading.still(place)),
    )
    return reading.at(made, place, by) if made else None


def make_move_with_code(
    *, code: SeatCode, account: Account | None, game_id: UUID, seq: int, move: object
) -> Appended:
    """Append a move of the seat of a code, as `make_move` does; ``account`` is whoever is logged in, if any.

    Raises PermissionDenied where the code is not good any more, or not for the game's table.
    """
    club_game = _club_game(game_id)
    held = good_code(code.pk, club_game.table_id) if club_game.table_id else None
    if held is None:
        raise PermissionDenied(
            text("This code is not good any more: its round is over, or its table decided.")
        )
    _refuse_own_side(game_id, held.seat, move)
    return log.append(
        game_id=game_id,
        seq=seq,
        actor=Actor("code", held.seat),
        move=move,
        account=str(account.pk) if account else None,
        ended=endings.settle_game,
    )


def make_move_at_kiosk(*, kiosk: Kiosk, game_id: UUID, seat: int, seq: int, move: object) -> Appended:
    """Append a move of the seat that somebody named at a kiosk, as `make_move` does.

    Rounds are confirmed with a code, not at a kiosk: there nobody knows who confirms. Raises PermissionDenied
    for that, for a kiosk that is not open any more, and for a table that is not open in its competition.
    """
    club_game = _club_game(game_id)
    table, here = club_game.table_id, club_game.competition_id == kiosk.competition_id
    if table is None or not (here and kiosk.is_open and open_tables().filter(pk=table).exists()):
        raise PermissionDenied(text("This table’s scores can’t be entered at this kiosk."))
    if _kind(move) == _CONFIRM:
        raise PermissionDenied(text("To confirm scores at a kiosk, type the code of your seat."))
    return log.append(
        game_id=game_id,
        seq=seq,
        actor=Actor("kiosk", seat),
        move=move,
        account=None,
        ended=endings.settle_game,
    )


def _kind(move: object) -> object:
    return move.get("type") if isinstance(move, Mapping) else None


def _actor(account: Account, game_id: UUID, kind: object, keeps_scores: bool) -> Actor:
    """Return who the account moves as: the arbiter for rulings, for other moves its seat if it has one."""
    if kind in ALLOWED["arbiter"]:
        scope = TokenScope.CLUB_ORGANISE if kind == _BEGIN else TokenScope.CLUB_RULE
        permissions.require_organiser(_club_game(game_id).club_id, account, scope)
        return Actor("arbiter")
    seat = seat_of(account, game_id)
    if seat is not None and (kind in _ANSWERS or not keeps_scores):
        return _seated(account, seat, kind)
    club_game = _club_game(game_id)
    ruleset = log.ruleset_of(club_game.game)
    rules = kind in permissions.ruling_moves(club_game.club_id, account, ruleset)
    if rules and (seat is None or kind in ruleset.entry_moves):
        permissions.require_scope(account, TokenScope.CLUB_RULE)
        return Actor("arbiter")
    if seat is not None:
        return _seated(account, seat, kind)
    raise PermissionDenied(text("You have no seat at this table."))


def _seated(account: Account, seat: int, kind: object) -> Actor:
    permissions.require_scope(account, TokenScope.PLAY_ENTER if kind in _ANSWERS else TokenScope.PLAY_MOVE)
    return Actor("seat", seat)


def _refuse_late_amendment(game_id: UUID, seq: int, kind: object) -> None:
    """Raise `Illegal` where a game that is over would be amended and its result is no longer open."""
    club_game = _club_game(game_id)
    game = club_game.game
    amends = game.is_over and seq > game.seq and kind in log.ruleset_of(game).amendments
    if amends and not score_cards.is_open(club_game):
        raise Illegal(text("The card is closed: an organiser sets the result of the table."))


def _refuse_own_side(game_id: UUID, seat: int | None, move: object) -> None:
    """Raise `Illegal` where a seat would confirm what its own side has entered at a table of partners.

    Cards that were confirmed so before stay as they are: their logs don't know the sides.
    """
    if not (isinstance(move, Mapping) and move.get("type") == _CONFIRM):
        return
    club_game = _club_game(game_id)
    if of_own_side(log.latest(club_game.game), club_game.table, seat, move.get("round")):
        raise Illegal(text("An opponent must confirm what you or your partner entered."))


def _club_game(game_id: UUID) -> ClubGame:
    club_game = ClubGame.objects.select_related("game", "club", "table__round").filter(game=game_id).first()
    if club_game is None:
        raise Game.DoesNotExist
    return club_game


def run_out(*, game_id: UUID) -> None:
    """Make the clock's move, a timeout or a forfeit, for every seat whose time is up.

    A seat that moves in the same moment is not late. At most `_MOST_AT_ONCE` moves are made; the next task
    makes the rest. Raises Game.DoesNotExist.
    """
    for _turn in range(_MOST_AT_ONCE):
        game = Game.objects.get(pk=game_id)
        late = log.late_seats(game, database_time.asked())
        if not late:
            return
        with suppress(Stale):
            call_time(game, late[0], forfeits=clocks.read(game.clock).late == "forfeit")


def call_time(game: Game, seat: int, *, forfeits: bool) -> None:
    """Make the clock's move for a seat, a forfeit or a timeout; raises `Stale` if another move was first."""
    move = {"type": "forfeit", "seat": seat, "reason": "out of time"} if forfeits else {"type": "timeout"}
    actor = Actor("clock", seat)
    log.append(
        game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None, ended=endings.settle_game
    )
