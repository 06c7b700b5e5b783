"""What a bot is given: view and choices of its seat as a client of the API gets them, and nothing else."""

import json
from collections.abc import Mapping
from typing import Any

from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.policy import Policy, Rememberer
from games.engine.replay import Position


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
