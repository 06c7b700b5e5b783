"""A bot for high card: it plays its highest card."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.cards import RANKS
from games.engine.jsontypes import JsonObject


def choose(seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
    """Return the seat's move, from its own view and choices as JSON."""
    return {"type": "play", "card": max(view["hand"], key=lambda card: RANKS.index(card[0]))}
