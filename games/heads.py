"""The head of a game: the fields and seats that follow from its log, and the statement that writes it.

By it entries enter the log: head, entries and notification, or nothing at all.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db import connection
from prometheus_client import Histogram

from games import database_time
from games.engine import clocks, replay
from games.engine.chain import stamp
from games.engine.common_moves import GiveTime
from games.engine.jsontypes import JsonObject
from games.engine.replay import Actor, Opening, Position
from games.models import Game, Seat
from games.models.games import VERSION
from games.models.moves import moves_in
from games.prepared import one_row

# ---- Fields that follow --------------------------------------------------------------------------

OPENED: Final = ("ruleset", "options", "commitment", "clock", "opened_at")
"""The fields of a game that its opening fixes."""


def set_opened(game: Game, opening: Opening) -> None:
    """Set the fields that the opening fixes, but for the time."""
    game.ruleset, game.options = opening.ruleset, opening.options
    game.commitment, game.clock = opening.commitment, opening.clock


def seats(game: Game, opening: Opening, position: Position) -> list[Seat]:
    """Return the seats of a game as its opening names them."""
    accounts = opening.accounts or (None,) * len(opening.seats)
    return [
        Seat(game=game, number=number, player=player, account=account, team=position.teams[number])
        for number, (player, account) in enumerate(zip(opening.seats, accounts, strict=True))
    ]


def start_clocks(game: Game, position: Position) -> None:
    """Start the clocks with the opening."""
    set_times(game, clocks.started(position.seats, replay.timed(position), game.moved_at))


def tick(game: Game, actor: Actor, position: Position) -> None:
    """Update the clocks after entries that were appended together."""
    set_times(game, ticked(game.timing, game.times, actor.seat, position, game.moved_at))


def ticked(
    clock: clocks.Clock, times: clocks.Times, seat: int | None, position: Position, at: datetime
) -> clocks.Times:
    """Return the times of clocks after entries that were appended together, of a seat or of none."""
    move = position.last[2] if position.last else None
    if isinstance(move, GiveTime):
        times = clocks.given(clock, times, move.minutes)
    return clocks.ticked(clock, times, seat, replay.timed(position), at)


def set_times(game: Game, times: clocks.Times) -> None:
    """Set the times of a game's clocks."""
    game.since, game.used = list(times.since), list(times.used)


def follow(game: Game, position: Position) -> None:
    """Set the head fields that follow from a position and its clocks."""
    due = [deadline for deadline in clocks.deadlines(game.timing, game.times) if deadline]
    game.deadline = min(due, default=None)
    result = replay.result(position)
    game.status = position.status
    game.awaited = list(replay.awaited(position))
    waiting = replay.open_rounds(position)
    game.unconfirmed = [each.number for each in waiting]
    game.disputed = [each.number for each in waiting if each.disputed]
    game.unanswered = list(position.unanswered)
    game.result = result.as_json() if result else None


# ---- Statements ----------------------------------------------------------------------------------

APPEND_SECONDS: Final = Histogram(
    "trefoil_append_seconds",
    "How long the database took to write an entry of a game's log, or to refuse it.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
SHARDS: Final = 64
"""How many channels there are for moves. A process listens to those of the games that are watched there."""

HEAD: Final = (
    *("seq", "head", "status", "moved_at", "result"),
    *("awaited", "since", "used", "deadline"),
    *("unconfirmed", "disputed", "unanswered"),
)
"""The fields of a game that follow its log."""


@dataclass(frozen=True)
class Guard:
    """A condition in SQL, with named parameters, under which entries are written; always true by default.

    It may name the game as ``%(game)s``.
    """

    sql: str = "TRUE"
    given: Mapping[str, Any] = field(default_factory=dict)


ALWAYS: Final = Guard()


def both(one: Guard, other: Guard) -> Guard:
    """Return the condition that both hold; their parameters have different names."""
    return Guard(f"{one.sql} AND {other.sql}", {**one.given, **other.given})


# The row of the game is locked by the UPDATE, so of two writers at one head the later finds another version
# and writes nothing. So does one whose row was rebuilt at that head: the clocks that it writes follow from
# the row. Dates don't go back, and are the database's own but for a second; a log that is dated ahead goes on
# at its last date. The values are JSON, so that the statement has the same types whatever they are, and is
# prepared once.
_TOLERANCE: Final = f"interval '{database_time.TOLERANCE.total_seconds()} seconds'"
_INSERT: Final = """
    INSERT INTO {moves} (game_id, seq, role, seat, account, move, at, hash)
    SELECT %(game)s::text::uuid, entry.seq, entry.role, entry.seat, entry.account, entry.move, entry.at,
        decode(entry.hash, 'hex')
    FROM {source}jsonb_to_recordset(%(entries)s::text::jsonb)
        AS entry(seq integer, role text, seat smallint, account text, move jsonb, at timestamptz, hash text)
"""
_APPEND: Final = f"""
WITH head AS (
    UPDATE games_game SET ({", ".join(HEAD)}) = (
        SELECT {", ".join(HEAD)} FROM jsonb_populate_record(NULL::games_game, %(row)s::text::jsonb)
    )
    WHERE id = %(game)s::text::uuid AND {VERSION} = %(version)s::text
        AND %(at)s::text::timestamptz BETWEEN greatest(moved_at, {{clock}} - {_TOLERANCE})
            AND greatest(moved_at, {{clock}} + {_TOLERANCE})
        AND ({{guard}})
    RETURNING {VERSION} AS version
), entries AS (
    {_INSERT.replace("{source}", "head, ")} RETURNING id
)
SELECT (SELECT min(id) FROM entries), {{clock}}, (SELECT version FROM head),
    (SELECT pg_notify(%(channel)s::text, %(told)s::text) FROM head)
"""


_EARLIEST, _LATEST = database_time.since_decided("{clock}")
_OPEN: Final = f"""
WITH entries AS (
    {_INSERT.replace("{source}", "")} WHERE entry.at BETWEEN {_EARLIEST} AND {_LATEST} RETURNING id
)
SELECT (SELECT id FROM entries), {{clock}}
"""


def channel_of(game: UUID) -> str:
    """Return the channel on which PostgreSQL tells of a game's entries that are committed together.

    It sends ``<game id> <seq> <seats>``. The seats, parted by commas, are those that are awaited now.
    """
    return f"trefoil_moves_{game.int % SHARDS}"


@lru_cache(maxsize=100)
def _append_under(guard: str, clock: str, moves: str) -> str:
    return _APPEND.format(guard=guard, clock=clock, moves=moves)


def append_entries(game: Game, entries: Sequence[JsonObject], guard: Guard = ALWAYS) -> int | None:
    """Write the head of a game and the entries that lead to it; return the id of the first entry's row.

    None, and nothing is written, unless the row has the game's version, which then is the one that was
    written, the entries, which have one date, are dated as they must be, and the guard holds. In any case the
    estimate of the database's clock is corrected.
    """
    given = {
        **guard.given,
        "version": game.version,
        "at": stamp(game.moved_at),
        "row": json.dumps({name: _json(getattr(game, name)) for name in HEAD}),
        "channel": channel_of(game.pk),
        "told": f"{game.pk} {game.seq} {','.join(map(str, game.awaited))}",
    }
    statement = _append_under(guard.sql, database_time.sql(), moves_in(game)._meta.db_table)
    written = _written(game, statement, given, entries)
    first: int | None = written[0]
    if first is not None:
        game.version = written[2]
    return first


def write_opening(game: Game, entry: JsonObject, decided: database_time.Moment) -> int | None:
    """Write a game's opening; return the id of its row.

    None, and nothing is written, where its date is not that of the database's clock when it was decided. In
    any case the estimate of that clock is corrected.
    """
    statement = _OPEN.format(clock=database_time.sql(), moves=moves_in(game)._meta.db_table)
    first: int | None = _written(game, statement, {"taken": f"{decided.taken():.6f}"}, [entry])[0]
    return first


def _written(
    game: Game, statement: str, given: Mapping[str, str | None], entries: Sequence[JsonObject]
) -> tuple[Any, ...]:
    """Return what a statement that writes entries gives, and learn the database's time from it."""
    began = database_time.host()
    with APPEND_SECONDS.time():
        written = one_row(statement, {**given, "game": str(game.pk), "entries": json.dumps(entries)})
    assert written is not None
    database_time.learn(written[1], began)
    return written


def write_heads(games: Iterable[Game], more: Sequence[str]) -> None:
    """Write the heads of games, and ``more`` fields, to their rows."""
    names = [*HEAD, *more]
    rows = [{"id": str(game.pk), **{name: _json(getattr(game, name)) for name in names}} for game in games]
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE games_game SET ({', '.join(names)}) = ({', '.join(f'row.{name}' for name in names)}) "
            "FROM jsonb_populate_recordset(NULL::games_game, %s::jsonb) AS row WHERE games_game.id = row.id",
            [json.dumps(rows)],
        )


def _json(value: Any) -> Any:
    match value:
        case datetime():
            return stamp(value)
        case timedelta():
            return f"{value.days} days {value.seconds} seconds {value.microseconds} microseconds"
        case list():
            return [_json(each) for each in value]
        case _:
            return value
