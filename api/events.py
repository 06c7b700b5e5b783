"""A game's log as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import close_old_connections

from api.serializers.games import MoveSerializer
from league.queries.games import entries_after, game_of
from league.words.moves import lines

if TYPE_CHECKING:
    from games.models import Game

RETRY: Final = b"retry: 2000\n\n"
"""Tells clients to reconnect after 2000 milliseconds."""

ALIVE: Final = b": still here\n\n"


@dataclass(frozen=True)
class Event:
    """A log entry as a server-sent event."""

    seq: int
    text: bytes


@dataclass(frozen=True)
class News:
    """The events after a log entry, in order, and the final event if the game is over."""

    events: tuple[Event, ...]
    over: bytes = b""

    @property
    def text(self) -> bytes:
        """Return all events as they are sent."""
        return b"".join(event.text for event in self.events) + self.over


def since(game: Game, seq: int) -> News:
    """Return the events after log entry ``seq`` of a game that has just been loaded."""
    entries = lines(game, entries_after(game, seq))
    moves = (_event("move", MoveSerializer(entry).data, entry.entry.seq) for entry in entries)
    over = _event("over", {"status": game.status, "result": game.result}).text if game.is_over else b""
    return News(tuple(moves), over)


def read(game_id: UUID, seq: int) -> News:
    """Return the events after log entry ``seq``; for use outside a request, it manages its connection."""
    close_old_connections()
    try:
        return since(game_of(game_id), seq)
    finally:
        close_old_connections()


def _event(name: str, data: Mapping[str, Any], seq: int = 0) -> Event:
    lines = [f"id: {seq}"] if seq else []
    lines += [f"event: {name}", f"data: {json.dumps(data, ensure_ascii=False)}"]
    return Event(seq, "".join(f"{line}\n" for line in [*lines, ""]).encode())
