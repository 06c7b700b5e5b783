"""What is played with a definition, without its words: a game stays the same when only these are mended."""

from collections.abc import Mapping
from typing import Final

from games.engine import shapes
from games.engine.jsontypes import Json, JsonObject
from games.rules.card_game.definition import Definition

_WORDS: Final = ("title", "summary", "source", "about", "says", "by")
"""What changes neither play nor points; who enters a field belongs to it. The game's own title counts."""
_NAMED: Final = ("name", "of", "needed_with", "multiple_of", "reaching", "product", "score")
"""Where names of fields and lines stand."""


def what_is_played(game: Definition) -> JsonObject:
    """Return the JSON of a definition without its words, its names replaced by numbers in their order."""
    names = {each.name: str(number) for number, each in enumerate((*game.fields, *game.steps))}
    whole = {**shapes.write(game), "fields": [*map(shapes.write, game.fields)], "score": game.score}
    return {"title": game.title, "game": _plain(whole, "", names)}


def _plain(value: Json, at: str, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        words = (*_WORDS, "name") if "worth" in value else _WORDS  # a value of a choice counts by its number
        return {name: _plain(each, name, names) for name, each in value.items() if name not in words}
    if isinstance(value, list):
        return [_plain(each, at, names) for each in value]
    return names.get(value, value) if at in _NAMED and isinstance(value, str) else value
