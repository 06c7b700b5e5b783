"""Games and their move logs."""

import games.models.moves  # noqa: F401 - registers the log with Django; only `games.log` uses it
from games.models.append_only import append_only
from games.models.games import Game, Seat

__all__ = ["Game", "Seat", "append_only"]
