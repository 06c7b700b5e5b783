"""Games and their move logs."""

import games.models.moves
import games.models.snapshots  # noqa: F401 - both are registered with Django here; `games.log` uses them
from games.models.games import Game, Seat
from games.models.log_tables import append_only

__all__ = ["Game", "Seat", "append_only"]
