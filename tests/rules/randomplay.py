"""Random legal play from what `choices` lists, for tests over every ruleset."""

import random
from collections.abc import Iterator
from typing import Any

from games.engine import chance, replay
from games.engine.choosing import Choice
from games.engine.jsontypes import JsonObject
from games.engine.replay import Actor, AnyRuleset, Opening, Position


def opened(ruleset: AnyRuleset, seats: int, seed: int, options: JsonObject | None = None) -> Position:
    """Return a new game's position."""
    secret = seed.to_bytes(32, "big")
    filled = ruleset.write_options(ruleset.read_options(options or {}, seats))
    opening = Opening(ruleset.name, filled, (None,) * seats, False, chance.commitment(secret), {})
    return replay.opened(ruleset, opening, secret)


def some_move(choice: Choice, dice: random.Random) -> JsonObject:
    """Return one move that the choice allows, by what it says of its fields."""
    move: dict[str, Any] = {"type": choice.type}
    for name, field in choice.fields.items():
        if field.values and (not field.optional or dice.random() < 0.3):
            move[name] = dice.choice(field.values)
    return move


def plays(
    ruleset: AnyRuleset, seats: int, seed: int, options: JsonObject | None = None
) -> Iterator[tuple[Position, int, JsonObject]]:
    """Yield (position, seat, legal move) until the game is over, the chosen move being played each time."""
    dice = random.Random(seed)
    position = opened(ruleset, seats, seed, options)
    while position.status == "active":
        seat = dice.choice(replay.to_act(position))
        move = some_move(dice.choice(replay.choices(position, seat)), dice)
        yield position, seat, move
        position = replay.played(position, Actor("seat", seat), replay.read_move(ruleset, move))
