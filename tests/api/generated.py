"""A Python client made from the OpenAPI document, and a player that knows nothing but its types."""

import importlib
import json
import random
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from api.views.docs import document

PACKAGE: Final = "trefoil_generated"
SECTIONS: Final = ("games", "rulesets", "clubs", "me")
"""What a player's client needs: the operations below these parts of the address."""

REFERENCE: Final = re.compile(r'#/components/schemas/(\w+)"')
FORWARD: Final = ("confirm", "lay_down", "meld", "lay_off")
"""Types of moves that bring a game nearer to its end."""


def write_schema(folder: Path) -> Path:
    """Write the document with the operations of `SECTIONS` into a folder, and return the path of the file."""
    whole = document()
    paths = {
        path: item
        for path, item in whole["paths"].items()
        if any(operation["tags"][0] in SECTIONS for operation in item.values())
    }
    known, named = whole["components"]["schemas"], dict[str, Any]()
    left = [*REFERENCE.findall(json.dumps(paths))]
    while left:
        name = left.pop()
        if name not in named:
            named[name] = known[name]
            left += REFERENCE.findall(json.dumps(known[name]))
    components = {**whole["components"], "schemas": named}
    source = folder / "schema.json"
    source.write_text(json.dumps({**whole, "paths": paths, "components": components}))
    return source


def make_client(folder: Path) -> None:
    """Write the client's package into a folder, and let it be imported."""
    source = write_schema(folder)
    config = Config.from_sources(
        ConfigFile(post_hooks=[], generate_all_tags=False),
        MetaType.NONE,
        source,
        "utf-8",
        True,
        folder / PACKAGE,
    )
    errors = [error for error in generate(config=config) if error.level.name == "ERROR"]
    assert not errors
    sys.path.insert(0, str(folder))


def generated(module: str) -> Any:
    """Return a module of the client: it exists while tests run only, so that its types are checked then."""
    return importlib.import_module(f"{PACKAGE}.{module}")


class Seated:
    """A player with a client of their own, who makes random moves of those offered."""

    def __init__(self, address: str, secret: str, number: int) -> None:
        client = generated("client").AuthenticatedClient
        self.client = client(base_url=address, token=secret, raise_on_unexpected_status=True)
        self.chance = random.Random(number)

    def call(self, operation: str, *arguments: Any, **named: Any) -> Any:
        """Call an operation by its id and return the typed answer."""
        answer = generated(f"api.{operation.split('_')[0]}.{operation}").sync_detailed(
            *arguments, client=self.client, **named
        )
        assert answer.status_code < 300, answer.content
        typed(answer.parsed)
        return answer.parsed

    def move(self, game: Any) -> Any:
        """Make one of the moves that the game offers this player, and return the game after it."""
        models, unset = generated("models"), generated("types").UNSET
        choice = self.chance.choice([each for each in game.choices if each.type_ in FORWARD] or game.choices)
        offered = {
            field.name: getattr(choice.fields, field.name) for field in attrs.fields(type(choice.fields))
        }
        fields = {
            name: self.chance.choice(field.values)
            for name, field in offered.items()
            if field is not unset and field.optional is not True
        }
        made = getattr(models, f"{type(choice).__name__.removesuffix('Choice')}Move")
        return self.send(game, made(type_=choice.type_, **fields))

    def resign(self, game: Any) -> Any:
        """Leave the game."""
        return self.send(game, generated("models").ResignMove(type_="resign"))

    def send(self, game: Any, move: Any) -> Any:
        """Send a move as the next entry of the game's log."""
        body = getattr(generated("models"), f"{type(game).__name__.removesuffix('Game')}NewMove")
        return self.call("games_moves_create", game.id, body=body(seq=game.seq + 1, move=move))


def typed(value: Any) -> None:
    """Look at everything in an answer: raise AssertionError for a bare dictionary."""
    assert not isinstance(value, Mapping), value
    if isinstance(value, list):
        for each in value:
            typed(each)
    if attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            if field.name != "additional_properties":
                typed(getattr(value, field.name))
