"""The tables of a round with their scores so far, as every spectator may see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games import log
from games.engine import replay
from games.engine.replay import Position
from games.models import Game
from league.models import ClubGame, Round, Table, TableSeat
from league.queries.events import seats_then
from league.queries.rounds import with_forfeits, with_seats_and_games
from league.queries.watching import watchers_of


@dataclass(frozen=True)
class WallSeat:
    """A seat at a table: its score so far, None where none is known, if it is its turn or left."""

    seat: TableSeat
    score: int | None
    to_act: bool
    out: bool

    @property
    def entry_id(self) -> UUID:
        return self.seat.entry_id


@dataclass(frozen=True)
class WallTable:
    """A table with its last game, None where none was opened; ``deal`` is the one being played, if any.

    ``watching`` is how many follow it.
    """

    table: Table
    club_game: ClubGame | None
    deal: int | None
    watching: int
    seats: tuple[WallSeat, ...]


def tables_on_wall(its_round: Round, first: int, most: int) -> Sequence[WallTable]:
    """Return so many tables of a round from ``first`` on, counted from 0, by number."""
    tables = with_seats_and_games(Table.objects.filter(round=its_round).order_by("number"))
    shown = with_forfeits(tables[first : first + most])
    seats_then(its_round.stage.competition_id, [[seat for table in shown for seat in table.seats.all()]])
    last = {table.pk: list(table.games.all())[-1:] for table in shown}
    running = [each.game for games in last.values() for each in games if _is_running(each.game)]
    positions = log.latest_of(running)
    watching = watchers_of([game.pk for game in running])
    return [_shown(table, last[table.pk], positions, watching) for table in shown]


def _is_running(game: Game) -> bool:
    return game.status == Game.Status.ACTIVE and not game.unanswered


def _shown(
    table: Table,
    games: Sequence[ClubGame],
    positions: Mapping[UUID, Position],
    watching: Mapping[UUID, int],
) -> WallTable:
    club_game = games[0] if games else None
    playing = table.status == Table.Status.PLAYING
    position = positions.get(club_game.game_id) if club_game and playing else None
    view: Any = replay.view(position, None) if position else None
    awaited = club_game.game.awaited if club_game and view else ()
    return WallTable(
        table,
        club_game,
        view["round"] if view else None,
        watching.get(club_game.game_id, 0) if club_game else 0,
        tuple(
            WallSeat(
                seat,
                view["scores"][seat.number] if view else seat.score,
                seat.number in awaited,
                position is not None and seat.number in position.out,
            )
            for seat in table.seats.all()
        ),
    )
