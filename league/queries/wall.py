"""The tables of a round with their scores so far, as all spectators may see them, and how many watch."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import Window
from django.db.models.functions import RowNumber

from games import database_time, log
from games.engine import replay
from games.engine.replay import Position
from games.models import Game
from league.models import ClubGame, Round, Table, TableSeat, WatchedGames
from league.queries.events import seats_then
from league.queries.rounds import with_seats_and_games

# ---- Watchers ------------------------------------------------------------------------------------

LAPSES: Final = timedelta(seconds=50)
"""A process that has reported nothing for so long has ended."""


def watchers_of(games: Collection[UUID]) -> Mapping[UUID, int]:
    """Return how many watch each of these games; players at the table are none."""
    found = _watched() if games else {}
    return {game: found.get(str(game), 0) for game in games}


def watched_at(slug: str) -> Sequence[tuple[str, int]]:
    """Return the games of the competition at an address that are watched, by id, with how many watch each."""
    found = _watched()
    if not found:
        return ()
    own = ClubGame.objects.filter(game__in=[UUID(game) for game in found], competition__slug=slug)
    return [(game, found[game]) for game in sorted(map(str, own.order_by().values_list("game", flat=True)))]


def _watched() -> Mapping[str, int]:
    known = WatchedGames.objects.filter(at__gt=database_time.now() - LAPSES)
    found: Counter[str] = Counter()
    for reported in known.order_by("process").values_list("games", flat=True):
        found.update(reported)
    return found


# ---- Tables --------------------------------------------------------------------------------------


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
    turn = Window(RowNumber(), partition_by="number", order_by="pk")
    tables = with_seats_and_games(Table.objects.filter(round=its_round).order_by("number", "pk"))
    tables = tables.annotate(turn=turn)  # type: ignore[no-redef]  # it is 1 where nobody counts
    shown = [*tables[first : first + most]]
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
    turn = club_game.turn if club_game else 0
    awaited = club_game.game.awaited if club_game and view else ()
    return WallTable(
        table,
        club_game,
        view["round"] if view else None,
        watching.get(club_game.game_id, 0) if club_game else 0,
        tuple(
            WallSeat(
                seat,
                view["scores"][seat.number ^ turn] if view else seat.shown_score,
                seat.number ^ turn in awaited,
                position is not None and seat.number ^ turn in position.out,
            )
            for seat in table.seats.all()
        ),
    )
