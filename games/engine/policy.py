"""How a bot plays: a policy chooses a move from the view and the choices of its seat.

Most policies are modules with a function `choose`. A policy that implements `Rememberer` also receives every
entry of the log.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from games.engine.jsontypes import JsonObject


class Policy(Protocol):
    """How a bot plays a game. The same view and choices always give the same move."""

    def choose(self, seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
        """Return the move of an awaited seat from its view and choices, given as JSON."""


@runtime_checkable
class Rememberer(Policy, Protocol):
    """A policy with a memory: an immutable value; each entry of the log gives a new one."""

    def after(self, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> "Rememberer":
        """Return the policy for the moves after an entry, given as the API lists it.

        The view is of the game right after the entry: the seat's view if the seat made it, otherwise that or
        the spectator's. A policy that misses entries still knows what its view shows.
        """
