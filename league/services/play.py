"""Moves in games: of anybody who may make one, of the clock, and where a competition ends games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time, log
from games.engine.common_moves import ALLOWED, LEAVING, MOST_MORE
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed, Stale
from games.engine.replay import Actor
from games.log import Appended
from games.models import Game, Seat
from league import hooks
from league.callers import ANSWERS, ByAccount, ByClock, ByServer, Caller
from league.core.events import Ending
from league.core.state.competition import Competition as State
from league.core.state.competition import Table as TableState
from league.models import ClubGame, Competition, Table
from league.queries import reading, score_cards
from league.queries.clubs import player_now
from league.queries.games import club_game_of, of_own_side, partners_are_left, partners_at, sides_at
from league.services import account_events, emails, queue

_MOST_DUE: Final = 100
_LONGEST: Final = 200
"""Characters of a reason in a game's log."""
_CONFIRM: Final = "confirm"
_BEGINS: Final = ("accept_invitation", "begin")
_UNUSUAL: Final = (*ALLOWED["arbiter"], *ANSWERS, *LEAVING, _CONFIRM)
"""What takes more than the statement of a seat's move."""


# ---- Of any caller -------------------------------------------------------------------------------


def make_move(caller: Caller, *, game_id: UUID, seq: int, move: object) -> Appended:
    """Append the caller's move at the expected ``seq``; return the answer.

    The same move at the same seq again is answered as before. Raises `Malformed`, `Illegal`, `Stale`,
    `NotReplayable`, PermissionDenied and Game.DoesNotExist; then nothing has changed.
    """
    made = _move_of_seat(caller, game_id, seq, move) if isinstance(caller, ByAccount) else None
    return made or _move(caller.checked(), game_id, seq, move)


def _move_of_seat(caller: ByAccount, game_id: UUID, seq: int, move: object) -> Appended | None:
    """Append a move of the seat of an account in one statement, if this process knows game and place.

    The statement asks whether all that is still so. None where it is not, or anything is unusual: then
    nothing is written.
    """
    place = reading.last_place(game_id)
    seat = place.seat_of(caller.by.pk) if place and not caller.keeps_scores else None
    if place is None or seat is None or _kind(move) in _UNUSUAL:
        return None
    with suppress(PermissionDenied):
        return log.append_if(
            game_id=game_id,
            seq=seq,
            actor=caller.at(seat, _kind(move)),
            move=move,
            account=caller.account,
            guard=log.both(caller.guard, reading.still(place)),
            ended=settle_game,
        )
    return None


@transaction.atomic
def _move(caller: Caller, game_id: UUID, seq: int, move: object) -> Appended:
    actor, former = _actor(caller, game_id, seq, move), None
    if isinstance(move, Mapping) and move.get("type") == "hand_over":
        move, former = _with_account(game_id, seq, move)
    move = _with_side(game_id, seq, actor, move)
    made = log.append(
        game_id=game_id, seq=seq, actor=actor, move=move, account=caller.account, ended=settle_game
    )
    if former and made.created:
        emails.write_handed_over(made, former)
        account_events.write_handed_over(made, former)
    _tell_begun(made, [move])
    return made


@transaction.atomic
def make_moves(caller: Caller, *, game_id: UUID, seq: int, moves: Sequence[JsonObject]) -> Appended:
    """Append several moves of the caller, the first at the expected ``seq``: all of them or none.

    They are of its seat, or all of them its entries as scorekeeper or organiser; a ruling is made by itself.
    The answer's entry is the last one. The same moves at the same seq again are answered as before. Raises as
    `make_move` does.
    """
    actors = set()
    for number, move in enumerate(moves):
        if _kind(move) in ALLOWED["arbiter"]:
            raise Illegal("A ruling is sent by itself.", fields=[str(number)])
        actors.add(_actor(caller, game_id, seq, move))
    if len(actors) > 1:
        raise Illegal("These moves are not all of one seat, or all without one: send them one by one.")
    actor = actors.pop()
    made = log.append_all(
        game_id=game_id,
        seq=seq,
        actor=actor,
        moves=[_with_side(game_id, seq, actor, move) for move in moves],
        account=caller.account,
        ended=settle_game,
    )
    _tell_begun(made, moves)
    return made


Due: TypeAlias = tuple[Caller, JsonObject]


def make_moves_due(game_id: UUID, due: Callable[[Game], Due | None]) -> Game:
    """Make the moves that are due in a game, each in the game as it is then; return it when none is due.

    Who moves in the same moment may be first: then it is asked again what is due. At most `_MOST_DUE` moves
    are made. Raises Game.DoesNotExist, and what `make_move` does.
    """
    for _turn in range(_MOST_DUE):
        game = Game.objects.get(pk=game_id)
        if (found := due(game)) is None:
            break
        caller, move = found
        with suppress(Stale):
            make_move(caller, game_id=game_id, seq=game.seq + 1, move=move)
    return game


def _kind(move: object) -> str | None:
    kind = move.get("type") if isinstance(move, Mapping) else None
    return kind if isinstance(kind, str) else None


def _actor(caller: Caller, game_id: UUID, seq: int, move: object) -> Actor:
    """Return who the caller is in the log; raise PermissionDenied, and `Illegal` for a wrong entry."""
    kind = _kind(move)
    actor = caller.actor(game_id, kind)
    if isinstance(move, Mapping) and kind == _CONFIRM:
        _refuse_own_side(game_id, actor.seat, move.get("round"))
    if actor.role == "arbiter" and kind not in ALLOWED["arbiter"]:
        _refuse_late_amendment(game_id, seq, kind)
    return actor


def _tell_begun(made: Appended, moves: Sequence[object]) -> None:
    if not made.created or made.game.status != Game.Status.ACTIVE:
        return
    if any(_kind(move) in _BEGINS for move in moves):
        account_events.write_begun(made.game)


def _refuse_late_amendment(game_id: UUID, seq: int, kind: object) -> None:
    """Raise `Illegal` where a game that is over would be amended and its result is no longer open."""
    club_game = club_game_of(game_id)
    game = club_game.game
    amends = game.is_over and seq > game.seq and kind in log.ruleset_of(game).amendments
    if amends and not score_cards.is_open(club_game):
        raise Illegal("The card is closed: an organiser sets the result of the table.")


def _refuse_own_side(game_id: UUID, seat: int | None, number: object) -> None:
    """Raise `Illegal` where a seat would confirm what its own side has entered at a table of partners.

    Cards that were confirmed so before stay as they are: their logs don't know the sides.
    """
    position, table = log.latest(Game.objects.get(pk=game_id)), Table.objects.filter(games=game_id).first()
    if of_own_side(position, table, seat, number):
        sides = sides_at(position, table)
        if len({*sides}) == len(sides):
            raise Illegal("An opponent must confirm what you entered.")
        raise Illegal("An opponent must confirm what you or your partner entered.")


def _with_side(game_id: UUID, seq: int, actor: Actor, move: Any) -> Any:
    """Return a move, and of one with which a seat leaves whether one entry's partners alone are left then.

    Of one seat that is left a game knows by itself, of the entries of a competition it does not.
    """
    if _kind(move) not in LEAVING:
        return move
    if move.get("alone"):
        raise Malformed({"alone": [text("Leave this out: the server knows who is left.")]})
    game, entries = Game.objects.get(pk=game_id), partners_at(Table.objects.filter(games=game_id).first())
    if not (entries and 1 < seq <= game.seq + 1):
        return move
    # No set: what is sent as a seat may be anything as yet.
    out = [*log.position_at(game, seq - 1).out, move.get("seat", actor.seat)]
    return {**move, "alone": True} if partners_are_left(entries, out) else move


# ---- Another account at a seat -------------------------------------------------------------------
# Linking another account to a player changes no game that runs: otherwise an organiser could link their own
# account for a moment, and read the player's cards. An entry of the log that everybody sees does it.


def _with_account(game_id: UUID, seq: int, move: Mapping[str, Any]) -> tuple[Mapping[str, Any], UUID | None]:
    """Return the move with the account that is linked to the seat's player now, and who plays it until then.

    Raises `Malformed` where the move names an account, and `Illegal` where it would change nothing.
    """
    if "account" in move:
        raise Malformed(
            {"account": [text("Leave this out: it is the account that is linked to the player.")]}
        )
    seat = Seat.objects.filter(game=game_id, number=_number(move)).first()
    if seat is None or seat.player is None:
        raise Illegal("No player of the club has this seat.", fields=["seat"])
    linked = player_now(seat.player).account_id
    is_next = Game.objects.filter(pk=game_id, seq=seq - 1).exists()
    if is_next and linked == seat.account:
        raise Illegal("The account that is linked to this player plays the seat already.", fields=["seat"])
    return ({**move, "account": str(linked)} if linked else move), seat.account


def _number(move: Mapping[str, Any]) -> int:
    number = move.get("seat")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 100:
        raise Malformed({"seat": [text("This must be the number of a seat.")]})
    return number


# ---- The clock -----------------------------------------------------------------------------------


def run_out(*, game_id: UUID) -> None:
    """Make the clock's move, a timeout or a forfeit, for every seat whose time is up.

    A seat that moves in the same moment is not late. Of very many moves the next task makes the rest. Raises
    Game.DoesNotExist.
    """

    def late(game: Game) -> Due | None:
        seats = log.late_seats(game, database_time.asked())
        return _called(seats[0], forfeits=game.timing.late == "forfeit") if seats else None

    make_moves_due(game_id, late)


def end_overdue(*, game_id: UUID) -> None:
    """Make the clock's moves in a game past its table's deadline, as its competition says; else nothing.

    ``defaults``: default moves are played for the awaited seats. ``forfeit``: the awaited seats forfeit. Each
    move is made at its own number of the game's log, so that several workers never make one twice; of very
    many the next task makes the rest. Raises ClubGame.DoesNotExist.
    """

    def overdue(game: Game) -> Due | None:
        club_game = ClubGame.objects.select_related("competition", "table").get(game=game_id)
        if club_game.competition is None or not (game.awaited and _is_overdue(game, club_game)):
            return None
        return _called(game.awaited[0], forfeits=club_game.competition.overdue == Competition.Overdue.FORFEIT)

    make_moves_due(game_id, overdue)


def _is_overdue(game: Game, club_game: ClubGame) -> bool:
    competition, table = club_game.competition, club_game.table
    if competition is None or table is None or game.status != Game.Status.ACTIVE:
        return False
    late = table.deadline is not None and table.deadline <= database_time.asked()
    return (
        late
        and competition.status == Competition.Status.RUNNING
        and competition.overdue != Competition.Overdue.ORGANISER
    )


def _called(seat: int, *, forfeits: bool) -> Due:
    """Return the clock's move for a seat, a forfeit or a timeout."""
    forfeit: JsonObject = {"type": "forfeit", "seat": seat, "reason": "out of time"}
    return ByClock(seat), forfeit if forfeits else {"type": "timeout"}


# ---- Games of a table ----------------------------------------------------------------------------


def end_games(state: State, ending: Ending, account: str | None) -> None:
    """End the running games of a decided table, within the transaction of the event that decided it.

    They are abandoned; where the ending names an entry, only its seats forfeit and the others play on.
    """
    table = state.any_table(ending.table)
    if ending.entry is None:
        abandon(table, ending.reason, account)
        return
    for game in _running(table):
        turn = table.turn(str(game.pk))
        for number, seat in enumerate(table.seats):
            if seat.entry == ending.entry:
                move: JsonObject = {
                    "type": "forfeit",
                    "seat": number ^ turn,
                    "reason": ending.reason[:_LONGEST],
                }
                _make_wanted(game.pk, ByServer(account), move)


def abandon(table: TableState, reason: str, account: str | None) -> None:
    """Abandon the running games of a table, within the transaction of the event that wants it."""
    move: JsonObject = {"type": "abandon", "reason": (reason or "The table is decided.")[:_LONGEST]}
    for game in _running(table):
        _make_wanted(game.pk, ByServer(account), move)


def set_clocks(state: State, table: str, move: JsonObject, account: str | None) -> None:
    """Make the clock's move in a table's running games; games without clocks have no entry."""
    _stage, _round, its_table = state.table(table)
    caller = ByClock(account=account)
    for game in _running(its_table):
        if not game.timing.runs:
            continue
        if move["type"] == "give_time":
            _give_time(game, caller, int(str(move["minutes"])))
        else:
            _make_wanted(game.pk, caller, move)


def _give_time(game: Game, caller: Caller, minutes: int) -> None:
    """Give a game so many minutes, once; of one that was opened later no more is taken than it got."""
    before = log.latest(game).more_minutes
    wanted = min(max(0, before + minutes), MOST_MORE)

    def due(now: Game) -> Due | None:
        more = 0 if now.is_over else wanted - log.latest(now).more_minutes
        return (caller, {"type": "give_time", "minutes": more}) if more else None

    make_moves_due(game.pk, due)


def _running(table: TableState) -> Iterator[Game]:
    ids = [UUID(game.id) for game in table.games]
    return Game.objects.filter(pk__in=ids, status=Game.Status.ACTIVE).order_by("pk").iterator()


def _make_wanted(game_id: UUID, caller: Caller, move: JsonObject) -> None:
    """Make a move at the log's end, unless the game does not need it any more."""
    make_moves_due(game_id, lambda game: (caller, move) if _wanted(game, move) else None)


def _wanted(game: Game, move: JsonObject) -> bool:
    if game.is_over:
        return False
    position = log.latest(game)
    if move["type"] in ("stop_clocks", "start_clocks"):
        return position.clocks_stopped != (move["type"] == "stop_clocks")
    return move.get("seat") not in position.out


# ---- Games that are over -------------------------------------------------------------------------


def settle_game(appended: Appended) -> None:
    """Write deliveries of the end of a game and queue its result; in the transaction of its last entry.

    The result of a score card that was corrected after its end is recorded again. Of a game that was called
    off before it began only its players hear, of a practice game nobody.
    """
    if appended.game.practice:
        return
    if appended.created and appended.game.is_over:
        account_events.write_over(appended.game)
    if appended.game.unanswered:
        return
    if appended.created and appended.game.is_over:
        hooks.game_ended(appended.game)
    if appended.created and appended.entry.move["type"] in appended.position.ruleset.amendments:
        ClubGame.objects.filter(pk=appended.game.pk).update(recorded=False)
    queue.after_commit("record_result", appended.game.pk)
