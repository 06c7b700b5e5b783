"""Snapshots: positions at some entries of long logs, from which later ones are replayed.

A snapshot is disposable. It is used only if its signature is right for this server, this release of the rules
and the entry that it names, and if the log has that entry. Any other is ignored, and written again.
"""

import hashlib
import io
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac

from games import rules
from games.engine.replay import Position
from games.models import Game
from games.models.snapshots import Snapshot
from games.prepared import one_row
from games.release import fingerprint

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


def passed(before: int, after: int) -> bool:
    """Return whether a snapshot is due when a log has grown from one entry to another."""
    return before // EVERY < after // EVERY


_BEFORE: Final = """
SELECT kept.seq, kept.head, kept.position, kept.signature, seed.secret
FROM games_snapshot AS kept JOIN {seeds} AS seed ON seed.game_id = kept.game_id
WHERE kept.game_id = %(game)s::text::uuid AND kept.seq <= %(seq)s::text::integer
ORDER BY kept.seq DESC LIMIT 1
"""


def before(game: Game, seq: int, seeds: str) -> Kept | None:
    """Return the last snapshot up to entry ``seq``, None without one and where it is not good.

    ``seeds`` is the table with the game's seed.
    """
    statement = _BEFORE.format(seeds=seeds)
    row = one_row(statement, {"game": str(game.pk), "seq": str(seq)})
    return _checked(_Row(*row[:-1]), game, row[-1]) if row else None


def last_of(games: Iterable[Game], secrets: Mapping[UUID, bytes]) -> Mapping[UUID, Kept]:
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
    return Kept(row.seq, row.head, _read(row.position, game, secret))


def write(game_id: UUID, kept: Iterable[Kept]) -> None:
    """Write snapshots of a game, over those of another release."""
    rows = [_row(game_id, each) for each in kept]
    Snapshot.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["game", "seq"],
        update_fields=["head", "position", "signature"],
    )


def drop(games: Iterable[UUID]) -> None:
    """Delete all snapshots of games."""
    Snapshot.objects.filter(game__in=[*games]).delete()


def _row(game_id: UUID, kept: Kept) -> Snapshot:
    data = _written(kept.position)
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


def _written(position: Position) -> bytes:
    file = io.BytesIO()
    # The secret seed stays where it is.
    _Pickler(file, position.ruleset).dump(replace(position, secret=b""))
    return file.getvalue()


def _read(data: bytes, game: Game, secret: bytes) -> Position:
    position: Position = _Unpickler(io.BytesIO(data), rules.find(game.ruleset)).load()
    return replace(position, secret=secret)
