"""The JSON Schemas (2020-12) of what a ruleset tells: views, choices, moves and options.

They are made from its declarations: ``view_shape`` and ``full_shape``, its moves and its options.
"""

from collections.abc import Mapping
from typing import Final

from games.engine import shapes
from games.engine.base import typed_schema
from games.engine.common_moves import COMMON, SEAT_MOVES
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Field, Record, Rows
from games.engine.replay import AnyRuleset
from games.engine.views import Ending, JoiningView, OpenEnding

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PARTS: Final[Mapping[str, str]] = {
    "view": "What a seat or a spectator may know now.",
    "open_view": "A finished or abandoned game after one of its entries, with all cards open.",
    "at": "What `at/{seq}/` returns: an open view once the game is over, a view before.",
    "choices": "What a seat, or somebody who directs the game, may do now.",
    "move": "A move, as it is sent and as it is in the log.",
    "options": "The options of a game.",
}


def document(ruleset: AnyRuleset) -> JsonObject:
    """Return a JSON Schema with a definition for each of `PARTS`; an instance of the whole is a view."""
    parts: Mapping[str, JsonObject] = {
        "view": {"anyOf": [_view(ruleset.view_shape, Ending), _view(JoiningView, Ending)]},
        "open_view": {"anyOf": [_view(_full(ruleset), OpenEnding), _view(JoiningView, OpenEnding)]},
        "at": {"anyOf": [{"$ref": "#/$defs/view"}, {"$ref": "#/$defs/open_view"}]},
        "choices": {"type": "array", "items": {"anyOf": _choices(ruleset)}},
        "move": {"anyOf": list(move_schemas(ruleset).values())},
        "options": shapes.schema(ruleset.options),
    }
    return {
        "$schema": DIALECT,
        "title": f"{ruleset.title}, edition {ruleset.version}",
        "$ref": "#/$defs/view",
        "$defs": {name: {"description": about, **parts[name]} for name, about in PARTS.items()},
    }


def move_schemas(ruleset: AnyRuleset) -> Mapping[str, JsonObject]:
    """Return the JSON Schema of every move of a game by type, including the common moves."""
    return {kind: typed_schema(kind, cls) for kind, cls in {**ruleset.moves, **COMMON}.items()}


def part(ruleset: AnyRuleset, name: str) -> JsonObject:
    """Return the schema of one of `PARTS`, complete in itself."""
    return {**document(ruleset), "$ref": f"#/$defs/{name}"}


def _full(ruleset: AnyRuleset) -> type:
    return ruleset.full_shape or ruleset.view_shape


def _view(first: type, ending: type) -> JsonObject:
    return shapes.joined(shapes.record(first), shapes.record(ending)).schema()


def _choices(ruleset: AnyRuleset) -> list[Json]:
    listed = {**ruleset.moves, **{kind: COMMON[kind] for kind in SEAT_MOVES if kind != "resign"}}
    return [_choice(kind, shapes.record(cls)) for kind, cls in listed.items()]


def _choice(kind: str, move: Record) -> JsonObject:
    """Return the schema of a `games.engine.base.Choice` of one type of move."""
    fields = _object(
        {field.name: _field_choice(field) for field in move.fields},
        required=[field.name for field in move.fields if field.required],
    )
    return _object({"type": {"const": kind}, "fields": fields}, required=["type", "fields"])


def _field_choice(field: Field) -> JsonObject:
    """Return the schema of a `games.engine.base.FieldChoice` of a move."""
    value = field.shape.schema()
    properties = _properties(value, draft=value)
    if isinstance(field.shape, Rows):
        line = {each.name: _line_choice(each) for each in field.shape.item.fields}
        properties["by_seat"] = {"type": "array", "items": _object(line, required=[*line])}
    return _object(properties, required=["values"])


def _line_choice(field: Field) -> JsonObject:
    """Return the schema of a field in a seat's line; for a list ``values`` holds its possible items."""
    value = field.shape.schema()
    item = field.shape.parts[0].schema() if field.shape.kind == "list" else value
    return _object(_properties(item, draft=value), required=["values"])


def _properties(value: JsonObject, *, draft: JsonObject) -> dict[str, Json]:
    return {
        "values": {"type": "array", "items": value},
        "complete": {"const": False},
        "optional": {"const": True},
        "about": {"type": "string"},
        "draft": draft,
        "seats": {"const": True, "description": "the values are seats"},
        "worth": {"type": "object", "additionalProperties": {"type": "integer"}},
    }


def _object(properties: Mapping[str, Json], *, required: list[str]) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
