"""Games of clubs that were made at random: an engine must play whatever a definition says.

The definitions are kept, so that the lines stay as they are:
``python -m tests.conformance.made_games`` makes others. Deals are random, too: some are refused.
"""

import json
import random
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings

from games.engine import replay, shapes
from games.engine.choosing import Choice
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Refusal
from games.engine.replay import Actor
from games.rules.card_game import CardGame
from games.rules.card_game.definition import Definition
from games.rules.card_game.examples import scoring_example
from tests.conformance.recorder import SCENARIOS, Play, Scenario
from tests.rules.card_game.definitions import definitions, some_result
from tests.rules.randomplay import some_move
from tests.rules.recording import as_clients_see

FILE: Final = Path(__file__).with_name("made_games.jsonl")
COUNT: Final = 12
TRIES: Final = 24
LEGAL: Final = 0.7
"""How often a move that is refused gives way to one that is offered."""
KEPT: Final[list[JsonObject]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def played(definition: JsonObject, number: int) -> Play:
    """Return a line in which seats and the arbiter try random moves, as far as the game goes."""
    game, dice = shapes.read(Definition, definition), random.Random(number)
    play = Play(CardGame.key, dice.choice(game.seats), number, definition=definition)
    for _ in range(TRIES):
        if play.position.status != "active":
            break
        seat = dice.choice([*replay.to_act(play.position), None])
        offered = (
            replay.ruling_choices(play.position) if seat is None else replay.choices(play.position, seat)
        )
        choice = dice.choice(offered)
        move = _tried(play, game, choice, dice)
        if not _is_legal(play, seat, move) and dice.random() < LEGAL:
            move = as_clients_see(some_move(choice, dice))
        actor = {"role": "arbiter"} if seat is None else {"role": "seat", "seat": seat}
        play.ask(do="move", **actor, move=move, must=_is_legal(play, seat, move))
    play.look()
    return play


def _tried(play: Play, game: Definition, choice: Choice, dice: random.Random) -> dict[str, Any]:
    """Return a move of a kind with a random deal, which need not be one."""
    (name, single), *_result = choice.fields.items()
    result = {} if choice.type == "confirm" else some_result(game, play.position.seats, dice)
    return {"type": choice.type, name: single.values[0], **result}


def _is_legal(play: Play, seat: int | None, move: JsonObject) -> bool:
    actor = Actor("arbiter") if seat is None else Actor("seat", seat)
    try:
        replay.played(play.position, actor, replay.read_move(play.position.ruleset, move))
    except Refusal:
        return False
    return True


def _scenario(number: int, definition: JsonObject) -> Scenario:
    def make() -> Play:
        return played(definition, number)

    make.__name__ = f"made_at_random_{number:02}"
    make.__doc__ = "A game whose definition was made at random, with random deals."
    return Scenario(CardGame.key, (), make)


SCENARIOS.extend(_scenario(number, definition) for number, definition in enumerate(KEPT, 1))


def some_definitions() -> list[Definition]:
    """Return so many definitions of different kinds by which deals can be played, with many steps."""
    found: list[Definition] = []

    @seed(1)
    @settings(
        max_examples=300,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=[*HealthCheck],
    )
    @given(definitions())
    def collect(game: Definition) -> None:
        if all(scoring_example(game, seats) for seats in game.seats):
            found.append(game)

    collect()
    ordered = sorted(found, key=lambda game: (len(game.steps), len(game.fields)), reverse=True)
    kinds = {
        (bool(game.sides), bool(game.checks), game.may_end, bool(game.target)): game for game in ordered[::-1]
    }
    return [*kinds.values()][:COUNT]


if __name__ == "__main__":
    lines = (json.dumps(shapes.write(game), separators=(",", ":")) for game in some_definitions())
    FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
