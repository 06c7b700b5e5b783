"""Games that end because their table was decided without them: nobody plays on for nothing."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from uuid import UUID

from games import log as games
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Stale
from games.engine.replay import Actor
from games.models import Game
from league.competition import events as e
from league.competition.state import Competition as State
from league.competition.state import Table
from league.log import Appended
from league.services import hints, webhooks

_LONGEST: Final = 200
"""Characters of a reason in a game's log."""


def follow(appended: Appended, account: str | None) -> None:
    """End the running games of tables that the events decided, within the events' transaction.

    A table that is ruled on, walked over or void leaves its game abandoned, and so does a cancelled
    competition. Who did not come, or forfeits, is taken out of the game, and the others go on.
    """
    for event in appended.events:
        match event:
            case e.Ruled() | e.WalkedOver() | e.Voided():
                abandon(_table(appended.state, event.table), event.reason, account)
            case e.NoShow() | e.Forfeited():
                _take_out(_table(appended.state, event.table), event, account)
            case e.Cancelled():
                for _stage, _round, table in appended.state.tables():
                    if not table.decided:
                        abandon(table, event.reason, account)
            case _:
                pass


def _table(state: State, table: str) -> Table:
    return state.table(table)[2]


def abandon(table: Table, reason: str, account: str | None) -> None:
    """Abandon every game of a table that still runs, as arbiter."""
    move: JsonObject = {"type": "abandon", "reason": (reason or "The table is decided.")[:_LONGEST]}
    for game in _running(table):
        _append(game.pk, move, account)


def _take_out(table: Table, event: e.NoShow | e.Forfeited, account: str | None) -> None:
    """Let an entry's seats forfeit in the table's running games."""
    seats = [number for number, seat in enumerate(table.seats) if seat.entry == event.entry]
    for game in _running(table):
        for seat in seats:
            move: JsonObject = {"type": "forfeit", "seat": seat, "reason": event.reason[:_LONGEST]}
            _append(game.pk, move, account)


def _running(table: Table) -> Iterator[Game]:
    ids = [UUID(game.id) for game in table.games]
    return Game.objects.filter(pk__in=ids, status=Game.Status.ACTIVE).order_by("pk").iterator()


def _append(game_id: UUID, move: JsonObject, account: str | None) -> None:
    """Append an arbiter's move wherever the log stands, unless the game needs it no more."""
    while _wanted(game := Game.objects.get(pk=game_id), move):
        # A seat that moves in the same moment was first: look again.
        with suppress(Stale):
            games.append(
                game_id=game_id,
                seq=game.seq + 1,
                actor=Actor("arbiter"),
                move=move,
                account=account,
                also=settle_game,
            )


def settle_game(appended: games.Appended) -> None:
    """Let webhooks and workers know of a game that an entry has ended; within the entry's transaction."""
    if not appended.game.is_over:
        return
    if appended.created:
        webhooks.tell_of_game(appended.game)
    hints.after_commit("record_result", appended.game.pk)


def _wanted(game: Game, move: JsonObject) -> bool:
    return not game.is_over and move.get("seat") not in games.latest(game).out
