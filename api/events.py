"""A game's log as server-sent events: the text of each, and what is new since an entry."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import close_old_connections

from api import seen
from api.serializers.games import MoveSerializer
from games import log
from games.models import Game

RETRY: Final = b"retry: 2000\n\n"
"""How long a client waits before it comes back, in milliseconds."""

ALIVE: Final = b": still here\n\n"


@dataclass(frozen=True)
class Event:
    """One entry of the log, ready to be sent."""

    seq: int
    text: bytes


@dataclass(frozen=True)
class News:
    """What came after an entry, in order, and the last event where the game is over."""

    events: tuple[Event, ...]
    over: bytes = b""

    @property
    def text(self) -> bytes:
        """Return all of it as it is sent."""
        return b"".join(event.text for event in self.events) + self.over


def since(game: Game, seq: int) -> News:
    """Return what the log holds after entry ``seq`` of a game that has just been read."""
    entries = seen.entries(game, log.entries(game, seq))
    moves = (_event("move", MoveSerializer(entry).data, entry.entry.seq) for entry in entries)
    over = _event("over", {"status": game.status, "result": game.result}).text if game.is_over else b""
    return News(tuple(moves), over)


def read(game_id: UUID, seq: int) -> News:
    """Return what is new in a game; for callers outside a request, which tends its connection itself."""
    close_old_connections()
    try:
        return since(Game.objects.get(pk=game_id), seq)
    finally:
        close_old_connections()


def _event(name: str, data: Mapping[str, Any], seq: int = 0) -> Event:
    lines = [f"id: {seq}"] if seq else []
    lines += [f"event: {name}", f"data: {json.dumps(data, ensure_ascii=False)}"]
    return Event(seq, "".join(f"{line}\n" for line in [*lines, ""]).encode())
