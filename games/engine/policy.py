"""How a bot plays: a policy chooses a move from the view and the choices of its seat.

Most policies are modules with a function `choose`. A policy that implements `Rememberer` also receives every
entry of the log. `weakened` makes a weaker policy of a strong one.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias, runtime_checkable

from games.engine import chain, replay
from games.engine.jsontypes import JsonObject
from games.engine.replay import Position
from games.engine.values import replace

Level: TypeAlias = Literal["easy", "medium", "strong"]
"""How strong a bot of the server is."""
LEVELS: Final[tuple[Level, ...]] = ("easy", "medium", "strong")


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


# ---- Weaker bots -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Careless:
    """A policy that makes any legal move instead of its own in ``slips`` of 100 decisions.

    A hash of what the seat sees decides when and which, so that the same view gives the same move.
    """

    policy: Policy
    slips: int

    def choose(self, seat: int, view: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]) -> JsonObject:
        """Return the policy's move, or another one that the choices list."""
        numbers = _Numbers(chain.canonical({"seat": seat, "view": view}))
        if numbers.below(100) >= self.slips:
            return self.policy.choose(seat, view, choices)
        return _any_move(choices[numbers.below(len(choices))], numbers)


@dataclass(frozen=True)
class CarelessRememberer(Careless):
    """A careless policy with the memory of another."""

    policy: Rememberer

    def after(self, seat: int, entry: Mapping[str, Any], view: Mapping[str, Any]) -> "CarelessRememberer":
        """Return the policy with the memory that the other has after an entry."""
        return replace(self, policy=self.policy.after(seat, entry, view))


def weakened(policy: Policy, slips: int) -> Policy:
    """Return a policy that makes any legal move instead in ``slips`` of 100 decisions."""
    return CarelessRememberer(policy, slips) if isinstance(policy, Rememberer) else Careless(policy, slips)


def _any_move(choice: Mapping[str, Any], numbers: "_Numbers") -> JsonObject:
    needed = {name: each["values"] for name, each in choice["fields"].items() if not each.get("optional")}
    chosen = {name: values[numbers.below(len(values))] for name, values in needed.items()}
    return {"type": choice["type"], **chosen}


class _Numbers:
    """Uniform numbers that depend on some bytes alone."""

    def __init__(self, seed: bytes) -> None:
        self._digest = hashlib.sha256(seed).digest()

    def below(self, limit: int) -> int:
        """Return the next number from 0 on that is below the limit."""
        self._digest = hashlib.sha256(self._digest).digest()
        return int.from_bytes(self._digest[:8], "big") % limit


# ---- What a bot is given: what a client of the API gets for its seat, and nothing else -----------


def decided(policy: Policy, position: Position, seat: int) -> JsonObject:
    """Return the move of an awaited seat."""
    choices = [as_clients_see(choice.as_json()) for choice in replay.choices(position, seat)]
    return policy.choose(seat, as_clients_see(replay.view(position, seat)), choices)


def remembered(policy: Rememberer, position: Position, seat: int, entry: Mapping[str, Any]) -> Rememberer:
    """Return the policy of a seat after an entry of the log, which led to the position."""
    view = replay.view(position, seat if seat == entry["seat"] else None)
    return policy.after(seat, entry, as_clients_see(view))


def as_clients_see(value: object) -> Any:
    """Return the value after a trip through JSON, tuples as lists."""
    return json.loads(json.dumps(value))
