"""Positions of games at entries of their logs: kept, brought forward, or replayed from an earlier one.

A snapshot is the position at some entry of a long log. It is disposable: it is used only if its signature is
right for this server, this release of the rules and the entry that it names, and if the log has that entry.
Any other is ignored, and written again.
"""

import hashlib
import io
import json
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.base import ModelState
from django.db.models.expressions import RawSQL
from django.utils.crypto import constant_time_compare, salted_hmac

from games import rules
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.refusals import NotReplayable, Refusal
from games.engine.replay import Actor, AnyRuleset, Position
from games.latest import Latest
from games.models import Game
from games.models.games import VERSION
from games.models.moves import Move, Seed, entries_of, moves_in, seed_of, seeds_in
from games.models.snapshots import Snapshot
from games.packages import fingerprint
from games.prepared import one_row

# ---- Snapshots -----------------------------------------------------------------------------------

EVERY: Final = 100
"""How many entries lie between two snapshots, at most."""
_SALT: Final = "games.snapshots"
_RULESET: Final = "ruleset"


@dataclass(frozen=True)
class Kept:
    """A position after entry ``seq``, which has the hash ``head`` if the log is the one it was made from."""

    seq: int
    head: str
    position: Position


def is_due(before: int, after: int) -> bool:
    """Return whether a snapshot is due when a log has grown from one entry to another."""
    return before // EVERY < after // EVERY


_BEFORE: Final = """
SELECT kept.seq, kept.head, kept.position, kept.signature, seed.secret
FROM games_snapshot AS kept JOIN {seeds} AS seed ON seed.game_id = kept.game_id
WHERE kept.game_id = %(game)s::text::uuid AND kept.seq <= %(seq)s::text::integer
ORDER BY kept.seq DESC LIMIT 1
"""


def snapshot_before(game: Game, seq: int, seeds: str) -> Kept | None:
    """Return the last snapshot up to entry ``seq``, None without one and where it is not good.

    ``seeds`` is the table with the game's seed.
    """
    statement = _BEFORE.format(seeds=seeds)
    row = one_row(statement, {"game": str(game.pk), "seq": str(seq)})
    return _checked(_Row(*row[:-1]), game, row[-1]) if row else None


def last_snapshots(games: Iterable[Game], secrets: Mapping[UUID, bytes]) -> Mapping[UUID, Kept]:
    """Return the last snapshot of each game by its id, in one query, without those that are not good."""
    by_id = {game.pk: game for game in games}
    rows = Snapshot.objects.filter(game__in=by_id).order_by("game_id", "-seq").distinct("game_id")
    found = {
        row.game_id: _checked(
            _Row(row.seq, row.head, bytes(row.position), row.signature),
            by_id[row.game_id],
            secrets[row.game_id],
        )
        for row in rows
    }
    return {game: kept for game, kept in found.items() if kept and kept.seq <= by_id[game].seq}


class _Row(NamedTuple):
    seq: int
    head: str
    position: bytes
    signature: str


def _checked(row: _Row, game: Game, secret: bytes) -> Kept | None:
    """Return what a snapshot holds, None where it is not good: its signature is wrong."""
    if not constant_time_compare(row.signature, _signature(game.pk, row.seq, row.head, row.position)):
        return None
    return Kept(row.seq, row.head, _unpickled(row.position, game, secret))


def write_snapshots(game_id: UUID, kept: Iterable[Kept]) -> None:
    """Write snapshots of a game, over those of another release."""
    rows = [_row_of(game_id, each) for each in kept]
    Snapshot.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["game", "seq"],
        update_fields=["head", "position", "signature"],
    )


def drop_snapshots(games: Iterable[UUID]) -> None:
    """Delete all snapshots of games."""
    Snapshot.objects.filter(game__in=[*games]).delete()


def _row_of(game_id: UUID, kept: Kept) -> Snapshot:
    data = _pickled(kept.position)
    signature = _signature(game_id, kept.seq, kept.head, data)
    return Snapshot(game_id=game_id, seq=kept.seq, head=kept.head, position=data, signature=signature)


def _signature(game_id: UUID, seq: int, head: str, data: bytes) -> str:
    """Return the signature of a snapshot, with a key of this server: nobody else's pickle is ever read."""
    said = f"{fingerprint()} {game_id} {seq} {head} {hashlib.sha256(data).hexdigest()}"
    return salted_hmac(_SALT, said, algorithm="sha256").hexdigest()


class _Pickler(pickle.Pickler):
    """Writes a position without the ruleset, which is one object of the process."""

    def __init__(self, file: io.BytesIO, ruleset: object) -> None:
        super().__init__(file, protocol=5)
        self._ruleset = ruleset

    def persistent_id(self, value: object) -> str | None:
        return _RULESET if value is self._ruleset else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, ruleset: object) -> None:
        super().__init__(file)
        self._ruleset = ruleset

    def persistent_load(self, name: Any) -> object:
        return self._ruleset


def _pickled(position: Position) -> bytes:
    file = io.BytesIO()
    # The secret seed stays where it is.
    _Pickler(file, position.ruleset).dump(replace(position, secret=b""))
    return file.getvalue()


def _unpickled(data: bytes, game: Game, secret: bytes) -> Position:
    position: Position = _Unpickler(io.BytesIO(data), ruleset_of(game)).load()
    return replace(position, secret=secret)


# ---- Positions -----------------------------------------------------------------------------------

_MOST: Final = 2**31 - 1
"""The largest number of an entry that the database can be asked for."""
Made: TypeAlias = tuple[Actor, JsonObject]
"""A move, and who made it."""


@dataclass
class _LatestOfGame(Latest[Position]):
    """The latest position, and the game's row at that entry, which is copied and never changed."""

    row: Game | None = None


_LATEST: Final = lru_cache(maxsize=2000)(_LatestOfGame)


def keep(game: Game, position: Position) -> None:
    """Keep the position at a game's head, with its row, for this process."""
    latest = _LATEST(game.pk)
    latest.kept, latest.row = (game.seq, game.head, position), copied(game)


def known_head(game_id: UUID) -> tuple[Game, Position] | None:
    """Return the game and its position at the last entry that this process has seen; the log may have more.

    The row is not to be changed, and only good where the database still has its version.
    """
    latest = _LATEST(game_id)
    kept, row = latest.kept, latest.row
    if kept is None or row is None or not row.version or kept[:2] != (row.seq, row.head):
        return None
    return row, kept[2]


def stored(game_id: UUID) -> Game:
    """Return a game with the version of its row; raises Game.DoesNotExist."""
    game = Game.objects.annotate(now=RawSQL(VERSION, ())).get(pk=game_id)
    game.version = game.now
    return game


def head(game_id: UUID) -> tuple[Game, Position]:
    """Return a game with the version of its row, and the position at its head, kept for `known_head`.

    Raises Game.DoesNotExist and `NotReplayable`.
    """
    game = stored(game_id)
    position = latest(game)
    keep(game, position)
    return game, position


def copied(game: Game) -> Game:
    """Return the row again, to be changed."""
    # Only its fields: what else a caller has loaded with the row may be old later. And without __init__,
    # which takes longer than the rules do for a move.
    twin, own = Game.__new__(Game), vars(game)
    vars(twin).update({name: own[name] for name in _FIELDS}, version=game.version, _state=ModelState())
    twin._state.adding, twin._state.db = False, game._state.db
    return twin


_FIELDS: Final = [field.attname for field in Game._meta.concrete_fields]


def ruleset_of(game: Game) -> AnyRuleset:
    """Return the edition of the rules by which the game is played; raises `NotReplayable`."""
    try:
        return rules.of(game.ruleset, game.options)
    except KeyError:
        raise NotReplayable(game.ruleset) from None


def _is_known(game: Game) -> bool:
    with suppress(NotReplayable):
        return bool(ruleset_of(game))
    return False


def latest(game: Game) -> Position:
    """Return the position at the game's head, at a cost that does not grow with its log.

    Raises `NotReplayable`.
    """
    cached = _LATEST(game.pk)
    kept = cached.kept
    if kept and kept[:2] == (game.seq, game.head):
        return kept[2]
    position = _brought_forward(game, *kept) if kept and kept[0] < game.seq else None
    position = position or position_at(game, game.seq)
    keep(game, position)
    return position


def _brought_forward(game: Game, seq: int, head: str, position: Position) -> Position | None:
    """Return a kept position with the entries since, or None where the log never held it."""
    return _from(game, Kept(seq, head, position), game.seq)


def position_at(game: Game, seq: int) -> Position:
    """Return the position after entry ``seq``, replayed from a snapshot, or from the opening without one.

    Raises Move.DoesNotExist and `NotReplayable`.
    """
    ruleset_of(game)
    if seq > _MOST:
        raise Move.DoesNotExist
    kept = snapshot_before(game, seq, seeds_in(game)._meta.db_table)
    position = _from(game, kept, seq) if kept else None
    return position or _from_opening(game, seq)


def each_position(game: Game) -> Iterator[tuple[Move, Position]]:
    """Yield each entry of the log with the position after it; raises `NotReplayable`."""
    opening = entries_of(game).filter(seq=1).first() or refuse_archived(game)
    position = _replayed(game, [opening], seed_of(game))
    yield opening, position
    yield from each_later(game, position)


def each_later(game: Game, position: Position) -> Iterator[tuple[Move, Position]]:
    """Yield each entry of the log after a position with the one after it; raises `NotReplayable`.

    The entries are read as they are needed, some at a time.
    """
    while position.entries < game.seq:
        last = min(position.entries + EVERY, game.seq)
        some = entries_of(game).filter(seq__gt=position.entries, seq__lte=last).order_by("seq")
        for entry in some or refuse_archived(game):
            position = _folded(game, position, moves_of([entry]))
            yield entry, position


def between(game: Game, first: int, last: int) -> Iterator[Position]:
    """Yield the position after each entry from one on to another; raises what `position_at` raises."""
    position = position_at(game, first - 1)
    for entry in entries_of(game).filter(seq__gte=first, seq__lte=last).order_by("seq"):
        position = _folded(game, position, moves_of([entry]))
        yield position


# Not as rows of the model, which take longer to make than to replay.
_LATER: Final = """
SELECT encode(first.hash, 'hex'), (
    SELECT jsonb_agg(jsonb_build_array(later.role, later.seat, later.move) ORDER BY later.seq)::text
    FROM {moves} AS later
    WHERE later.game_id = first.game_id AND later.seq > first.seq AND later.seq <= %(seq)s::text::integer
)
FROM {moves} AS first WHERE first.game_id = %(game)s::text::uuid AND first.seq = %(first)s::text::integer
"""


def _from(game: Game, kept: Kept, seq: int) -> Position | None:
    """Return a position replayed from an earlier one, None where the log never held that."""
    statement = _LATER.format(moves=moves_in(game)._meta.db_table)
    row = one_row(statement, {"game": str(game.pk), "first": str(kept.seq), "seq": str(seq)})
    head, text = row or refuse_archived(game)
    later = [(Actor(role, seat), move) for role, seat, move in json.loads(text or "[]")]
    return _since(game, kept, head, later, seq)


def _since(game: Game, kept: Kept, head: str, later: Sequence[Made], seq: int) -> Position | None:
    """Return a position replayed from an earlier one, whose entry has the hash ``head`` in the log.

    None where the log refuses it.
    """
    if head != kept.head:
        return None
    if len(later) != seq - kept.seq:
        raise Move.DoesNotExist
    with suppress(NotReplayable):
        return _folded(game, kept.position, later)
    return None


def _from_opening(game: Game, seq: int) -> Position:
    """Return a position replayed from the opening, and write the snapshots that were missing."""
    entries = list(entries_of(game).filter(seq__lte=seq).order_by("seq"))
    if not entries and 0 < seq <= game.seq:
        refuse_archived(game)
    if len(entries) != seq or not entries:
        raise Move.DoesNotExist
    return _since_opening(game, entries, seed_of(game))


def _since_opening(game: Game, entries: Sequence[Move], secret: bytes) -> Position:
    """Return the position after the first entries of a log, and write the snapshots that were missing."""
    position, made, seq = _replayed(game, entries[:EVERY], secret), list[Kept](), len(entries)
    for start in range(EVERY, seq, EVERY):
        made.append(Kept(start, entries[start - 1].hash, position))
        position = _folded(game, position, moves_of(entries[start : start + EVERY]))
    if made:
        _write_later(game.pk, made)
    return position


def grown(game: Game, position: Position, before: int) -> None:
    """Keep the position to which a log has grown, and write a snapshot where one is due."""
    keep(game, position)
    if is_due(before, game.seq):
        _write_later(game.pk, [Kept(game.seq, game.head, position)])


def warm(most: int) -> None:
    """Write the snapshots that long running games lack in this release, those of so many that moved last."""
    running = Game.kept.filter(status=Game.Status.ACTIVE, seq__gte=EVERY)
    for game in running.order_by("-moved_at", "pk")[:most]:
        with suppress(NotReplayable, Move.DoesNotExist):
            position_at(game, game.seq)


def _write_later(game_id: UUID, made: Sequence[Kept]) -> None:
    # What can be done without must neither undo an append nor fail a look.
    transaction.on_commit(lambda: write_snapshots(game_id, made), robust=True)


def latest_of(games: Sequence[Game]) -> Mapping[UUID, Position]:
    """Return the position at the head of each game by its id, in three queries for all.

    Long logs are replayed from snapshots. A game that is not replayable is left out.
    """
    kept = {game.pk: _LATEST(game.pk).kept for game in games}
    positions = {
        game.pk: known[2] for game in games if (known := kept[game.pk]) and known[:2] == (game.seq, game.head)
    }
    for game, position in _loaded([game for game in games if game.pk not in positions]):
        keep(game, position)
        positions[game.pk] = position
    return positions


def _loaded(games: Sequence[Game]) -> Iterator[tuple[Game, Position]]:
    """Yield each game with its position, replayed from its last snapshot, or from its opening."""
    seeds = Seed.objects.filter(game__in=games).values_list("game", "secret")
    secrets_of = {game: bytes(secret) for game, secret in seeds}
    starts = last_snapshots([game for game in games if _is_known(game)], secrets_of)
    wanted = Q(game__in=[game for game in games if game.pk not in starts])
    for game_id, kept in starts.items():
        wanted |= Q(game=game_id, seq__gte=kept.seq)
    entries: dict[UUID, list[Move]] = {game.pk: [] for game in games}
    for entry in Move.objects.filter(wanted).order_by("game_id", "seq"):
        entries[entry.game_id].append(entry)
    for game in games:
        # Entries that came in since the game was loaded are left out.
        known = [entry for entry in entries[game.pk] if entry.seq <= game.seq]
        with suppress(NotReplayable, Move.DoesNotExist):
            if start := starts.get(game.pk):
                first, *later = known or refuse_archived(game)
                made = [*moves_of(later)]
                yield game, _since(game, start, first.hash, made, game.seq) or _from_opening(game, game.seq)
            else:
                yield game, _since_opening(game, known, secrets_of[game.pk])


def _replayed(game: Game, entries: Sequence[Move], secret: bytes) -> Position:
    if not entries:
        refuse_archived(game)
    try:
        first = replay.opened(ruleset_of(game), replay.read_opening(entries[0].move), secret)
    except Refusal as refusal:
        raise NotReplayable(game.ruleset) from refusal
    return _folded(game, first, moves_of(entries[1:]))


def refuse_archived(game: Game) -> NoReturn:
    """Raise `NotReplayable` for a game without entries: they are in an archive (`games.archiving`)."""
    raise NotReplayable(f"{game.ruleset}: the log is archived")


def _folded(game: Game, position: Position, later: Iterable[Made]) -> Position:
    try:
        return replay.folded(position, later)
    except Refusal as refusal:
        raise NotReplayable(game.ruleset) from refusal


def moves_of(entries: Iterable[Move]) -> Iterator[Made]:
    """Yield who made each entry, and its move."""
    return ((Actor(entry.role, entry.seat), entry.move) for entry in entries)  # type: ignore[arg-type]
