"""Restoring a game that is over from the file of its log, entry by entry as it is there."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from games import partitions, rebuilding
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.lines import parsed
from games.models import Game
from games.models.moves import Move, Seed


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
            raise Illegal(text("The game %(game)s exists already, with another log.", game=str(game_id)))
        return False
    at = datetime.fromisoformat(entries[0]["at"])
    partitions.make_for(game_id)
    Game.objects.create(id=game_id, options={}, opened_at=at, moved_at=at)
    Seed.objects.create(game_id=game_id, secret=bytes.fromhex(end["seed"]))
    _write(game_id, entries)
    rebuilding.rebuild([game_id])
    return True


def write_entries(game_id: UUID, lines: Sequence[str]) -> None:
    """Write the entries of a verified file for a game that has none."""
    *entries, _end = [parsed(number, line) for number, line in enumerate(lines, 1)]
    _write(game_id, entries)


def _write(game_id: UUID, entries: Iterable[Mapping[str, Any]]) -> None:
    Move.objects.bulk_create(
        Move(game_id=game_id, **{**entry, "at": datetime.fromisoformat(entry["at"])}) for entry in entries
    )
