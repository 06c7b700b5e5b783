"""Bots: a policy for each ruleset, from what a seat sees and may do to a move.

Whoever runs a bot asks its policy to `choose` when its seat may move. Most policies are modules with that
function and no more; one that is a `Rememberer` is also told of every entry of the log.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from games.bots import scamper, scoops
from games.bots.scram import Camper
from games.engine.jsontypes import JsonObject


class Policy(Protocol):
    """How a bot plays one game; the same view and choices always give the same move."""

    def choose(self, seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
        """Return the move of a seat for whom the game waits, from its own view and choices as JSON."""


@runtime_checkable
class Rememberer(Policy, Protocol):
    """A policy that is a memory too: a frozen value, replaced by another after each entry of the log."""

    def after(self, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> "Rememberer":
        """Return the policy with which the seat plays on after an entry, one as the API lists it.

        The view is of the game right after that entry: the seat's own where the seat made it, else its own or
        the public one. A policy that isn't told plays on with what its view shows.
        """


POLICIES: Final[Mapping[str, Policy]] = {"scamper": scamper, "scoops": scoops, "scram": Camper()}
