"""A copy of a game with other values, named by paths in its JSON as refusals name them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine import shapes
from games.engine.jsontypes import Json, JsonObject
from games.rules.card_game.definition import Definition, Gathers

TOTAL: Final = "sum_of_deal"
"""The step of a copy whose deals must add up to something, where the game had none."""


def changed(game: Definition, values: Mapping[str, Json]) -> JsonObject:
    """Return the JSON of a game with other values at these paths."""
    whole: Any = json.loads(json.dumps(shapes.filled(game)))
    whole["fields"] = [shapes.filled(each) for each in game.fields]
    for path, value in values.items():
        *way, last = path.split(".")
        at = whole
        for part in way:
            at = at[int(part) if isinstance(at, list) else part]
        at[int(last) if isinstance(at, list) else last] = value
    made: JsonObject = whole
    return made


def adds_up(game: Definition) -> bool:
    """Return whether a deal of the game must add up to something already."""
    sums = {step.name for step in game.steps if isinstance(step, Gathers) and step.gather == "sum"}
    return any(check.of in sums for check in game.checks)


def adding_up(whole: JsonObject, to: Sequence[int], says: str) -> JsonObject:
    """Return the JSON of a game whose scores of a deal must add up to one of some numbers."""
    parts: Any = whole
    step = {"name": TOTAL, "gather": "sum", "of": parts["score"]}
    check = {"of": TOTAL, "one_of": [*to], "says": says}
    return {**whole, "steps": [*parts["steps"], step], "checks": [*parts["checks"], check]}
