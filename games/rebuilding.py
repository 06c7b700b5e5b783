"""The heads of games and their seats written again from the logs, those of several games at once.

And a game that is over restored from the file of its log, entry by entry as it is there.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from games import heads, partitions, positions
from games.engine import replay
from games.engine.common_moves import HandOver, Role
from games.engine.refusals import Illegal, NotReplayable, Refusal
from games.engine.replay import Actor, AnyRuleset
from games.heads import write_heads
from games.lines import parsed
from games.models import Game, Seat
from games.models.moves import Move, Seed
from games.positions import Kept, ruleset_of

_MOVES: Final = 20_000
"""How many moves are kept read, so that each is read once for many games."""


# Without Django's and psycopg's conversions, which take a fifth of the time of a rebuild.
_ENTRIES: Final = """
SELECT game_id::text, seq, role, seat, move::text, (extract(epoch FROM at) * 1000000)::bigint, hash
FROM games_move WHERE game_id = ANY(%s) ORDER BY game_id, seq
"""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    """An entry of a game's log as PostgreSQL writes it; its time is in microseconds since 1970."""

    game: str
    seq: int
    role: Role
    seat: int | None
    move: str
    micros: int
    hash: bytes

    @property
    def at(self) -> datetime:
        """Return the time."""
        return _EPOCH + timedelta(microseconds=self.micros)


@transaction.atomic
def rebuild(ids: Iterable[UUID]) -> int:
    """Rebuild all rows of games from their logs and seeds alone; return how many entries these have.

    Running games get new snapshots, so that the next look at a long one need not replay it. The games are
    locked while their logs are replayed. Raises Game.DoesNotExist and `NotReplayable`; then nothing has
    changed.
    """
    games = _locked([*ids])
    secrets = dict(Seed.objects.filter(game__in=games).values_list("game", "secret"))
    positions.drop_snapshots(games)
    entries, seats = 0, list[Seat]()
    for game_id, log in groupby(_entries(games), key=attrgetter("game")):
        game = games[UUID(game_id)]
        try:
            seats += _replayed(game, bytes(secrets[game.pk]), log)
        except Refusal as refusal:
            raise NotReplayable(game.ruleset) from refusal
        entries += game.seq
    write_heads(games.values(), [*heads.OPENED])
    _rebuild_seats(games, seats)
    return entries


def _locked(ids: Sequence[UUID]) -> Mapping[UUID, Game]:
    games = Game.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    found = {game.pk: game for game in games}
    if found.keys() != {*ids}:
        raise Game.DoesNotExist
    return found


def _entries(games: Iterable[UUID]) -> Iterator[Entry]:
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES, [[*games]])
        return map(Entry._make, cursor.fetchall())


def _replayed(game: Game, secret: bytes, entries: Iterator[Entry]) -> list[Seat]:
    """Set the fields of a game to what its log leads to; return its seats."""
    last = next(entries)
    opening = replay.read_opening(json.loads(last.move))
    heads.set_opened(game, opening)
    ruleset = ruleset_of(game)
    position = replay.opened(ruleset, opening, secret)
    game.opened_at = game.moved_at = last.at
    heads.start_clocks(game, position)
    seats, clock, times = heads.seats(game, opening, position), game.timing, game.times
    made: list[Kept] = []
    for first, *system in _appended(entries):
        for last in (first, *system):
            move = _move(ruleset, last.move)
            position = replay.played(position, _actor(last.role, last.seat), move)
            if isinstance(move, HandOver):
                seats[move.seat].account = move.account
            if last.seq % positions.EVERY == 0:
                made.append(Kept(last.seq, last.hash.hex(), position))
        if first.role != "system":
            times = heads.ticked(clock, times, first.seat, position, last.at)
    game.seq, game.head, game.moved_at = last.seq, last.hash.hex(), last.at
    heads.set_times(game, times)
    heads.follow(game, position)
    if not game.is_over:
        positions.write_snapshots(game.pk, made)
    return seats


def _appended(entries: Iterable[Entry]) -> Iterator[Sequence[Entry]]:
    """Yield the entries that were appended together: one, and the system's moves that follow from it."""
    together: list[Entry] = []
    for entry in entries:
        if together and entry.role != "system":
            yield together
            together = []
        together.append(entry)
    if together:
        yield together


_actor: Final = cache(Actor)


@lru_cache(maxsize=_MOVES)
def _move(ruleset: AnyRuleset, text: str) -> Any:
    return replay.read_move(ruleset, json.loads(text))


def _rebuild_seats(games: Mapping[UUID, Game], seats: Sequence[Seat]) -> None:
    """Write the seats of games again where they are others."""
    stored = Seat.objects.filter(game__in=games).order_by("game", "number")
    now, before = (_by_game(each) for each in (seats, stored))
    wrong = [game for game in games if now.get(game) != before.get(game)]
    if wrong:
        stored.filter(game__in=wrong).delete()
        Seat.objects.bulk_create(seat for seat in seats if seat.game_id in wrong)


def _by_game(seats: Iterable[Seat]) -> Mapping[UUID, Sequence[tuple[int, str, str, int]]]:
    values: dict[UUID, list[tuple[int, str, str, int]]] = {}
    for seat in seats:
        row = seat.number, str(seat.player), str(seat.account), seat.team
        values.setdefault(seat.game_id, []).append(row)
    return values


# ---- A game from a file --------------------------------------------------------------------------


@transaction.atomic
def restore(*, game_id: UUID, lines: Sequence[str]) -> bool:
    """Write a game with its seed; return whether it was missing.

    ``lines`` are those of a file that `games.verifier.check` has replayed. Hashes, times and accounts stay as
    they are. Raises `Illegal` where a game of this id is here with another log.
    """
    *entries, end = [parsed(number, line) for number, line in enumerate(lines, 1)]
    here = Game.objects.filter(pk=game_id).first()
    if here is not None:
        if here.head != entries[-1]["hash"]:
            raise Illegal("The game %(game)s exists already, with another log.", game=str(game_id))
        return False
    at = datetime.fromisoformat(entries[0]["at"])
    partitions.make_for(game_id)
    Game.objects.create(id=game_id, options={}, opened_at=at, moved_at=at)
    Seed.objects.create(game_id=game_id, secret=bytes.fromhex(end["seed"]))
    _write_entries(game_id, entries)
    rebuild([game_id])
    return True


def write_entries(game_id: UUID, lines: Sequence[str]) -> None:
    """Write the entries of a verified file for a game that has none."""
    *entries, _end = [parsed(number, line) for number, line in enumerate(lines, 1)]
    _write_entries(game_id, entries)


def _write_entries(game_id: UUID, entries: Iterable[Mapping[str, Any]]) -> None:
    Move.objects.bulk_create(
        Move(game_id=game_id, **{**entry, "at": datetime.fromisoformat(entry["at"])}) for entry in entries
    )
