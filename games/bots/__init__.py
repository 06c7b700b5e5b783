"""Bots: a policy for each ruleset, from what a seat sees and may do to a move.

Whoever runs a bot keeps its policy, takes it through `later` at every entry of the log, and asks it to `choose`
when its seat may move. A policy that needs no memory is a module with the function `choose`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from games.bots import scoops
from games.engine.jsontypes import JsonObject


class Policy(Protocol):
    """How a bot plays one game; the same view and choices always give the same move."""

    def choose(self, seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
        """Return the move of a seat for whom the game waits, from its own view and choices as JSON."""


@runtime_checkable
class Rememberer(Policy, Protocol):
    """A policy that is a memory too: a frozen value, and another one after each entry of the log."""

    def after(self, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> "Rememberer":
        """Return the policy of a seat that was there when an entry (its ``seat``, ``role``, ``move``) was made.

        The view is of the game right after it: the seat's own, or the public one where only that can be had.
        A policy that misses entries plays on with what it is sure of.
        """


POLICIES: Final[Mapping[str, Policy]] = {"scoops": scoops}


def later(policy: Policy, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> Policy:
    """Return the policy with which to go on after an entry of the log; only a `Rememberer` has changed."""
    return policy.after(seat, entry, view) if isinstance(policy, Rememberer) else policy
