"""Moves from the choices of a game."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from .types import Choice, Game, Move


def moves(choice: Choice) -> Iterator[Move]:
    """Yield every legal move that a choice lists: a value for each field that can't be left out."""
    needed = {name: field["values"] for name, field in choice["fields"].items() if not field.get("optional")}
    for values in itertools.product(*needed.values()):
        yield {"type": choice["type"], **dict(zip(needed, values, strict=True))}


def random_move(game: Game, chance: random.Random | None = None) -> Move:
    """Return a legal move of those that the game offers; raise IndexError if it offers none."""
    pick: Any = chance or random
    choice = pick.choice(game["choices"])
    needed = {name: field for name, field in choice["fields"].items() if not field.get("optional")}
    return {"type": choice["type"], **{name: pick.choice(field["values"]) for name, field in needed.items()}}
