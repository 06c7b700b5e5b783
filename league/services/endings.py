"""The ends of a competition's games: by a decision on their table, and what follows from any end."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Literal
from uuid import UUID

from games import log as games
from games.engine import clocks
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Stale
from games.engine.replay import Actor
from games.models import Game
from league import hooks
from league.core.events import Ending
from league.core.state.competition import Competition as State
from league.core.state.competition import Table
from league.models import ClubGame
from league.services import account_events, queue

_ARBITER: Final = Actor("arbiter")
_LONGEST: Final = 200
"""Characters of a reason in a game's log."""


def end_games(state: State, ending: Ending, account: str | None) -> None:
    """End the running games of a decided table, within the transaction of the event that decided it.

    They are abandoned; where the ending names an entry, only its seats forfeit and the others play on.
    """
    table = state.any_table(ending.table)
    if ending.entry is None:
        abandon(table, ending.reason, account)
        return
    seats = [number for number, seat in enumerate(table.seats) if seat.entry == ending.entry]
    for game in _running(table):
        for seat in seats:
            _append(game.pk, {"type": "forfeit", "seat": seat, "reason": ending.reason[:_LONGEST]}, account)


def abandon(table: Table, reason: str, account: str | None) -> None:
    """Abandon the running games of a table, within the transaction of the event that wants it."""
    move: JsonObject = {"type": "abandon", "reason": (reason or "The table is decided.")[:_LONGEST]}
    for game in _running(table):
        _append(game.pk, move, account)


def set_clocks(
    state: State, table: str, move: Literal["stop_clocks", "start_clocks"], account: str | None
) -> None:
    """Stop the clocks of a table's running games, or let them go on; games without clocks have no entry."""
    _stage, _round, its_table = state.table(table)
    for game in _running(its_table):
        if clocks.read(game.clock).runs:
            _append(game.pk, {"type": move}, account, Actor("clock"))


def _running(table: Table) -> Iterator[Game]:
    ids = [UUID(game.id) for game in table.games]
    return Game.objects.filter(pk__in=ids, status=Game.Status.ACTIVE).order_by("pk").iterator()


def _append(game_id: UUID, move: JsonObject, account: str | None, actor: Actor = _ARBITER) -> None:
    """Append a move at the log's end, as a rule an arbiter's, unless the game no longer needs it."""
    while _wanted(game := Game.objects.get(pk=game_id), move):
        # If a seat moves in the same moment and is first, look again.
        with suppress(Stale):
            games.append(
                game_id=game_id,
                seq=game.seq + 1,
                actor=actor,
                move=move,
                account=account,
                ended=settle_game,
            )


def _wanted(game: Game, move: JsonObject) -> bool:
    if game.is_over:
        return False
    position = games.latest(game)
    if move["type"] in ("stop_clocks", "start_clocks"):
        return position.clocks_stopped != (move["type"] == "stop_clocks")
    return move.get("seat") not in position.out


def settle_game(appended: games.Appended) -> None:
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
