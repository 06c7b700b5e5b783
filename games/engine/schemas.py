"""The JSON Schemas (2020-12) of what a ruleset tells: views, choices, moves, options and sheets.

They are made from its declarations: ``view_shape`` and ``full_shape``, its moves and its options. Each
declared dataclass is a definition with a name, such as ``ScoopsV1DiscardMove``; what is one of several is a
``oneOf`` with a discriminator, as OpenAPI has it.
"""

from collections.abc import Mapping
from dataclasses import replace
from inspect import getdoc
from typing import Any, Final

from games.engine import shapes
from games.engine.clocks import Clock
from games.engine.common_moves import COMMON, SEAT_MOVES
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import (
    NOTHING,
    SCHEMAS,
    AnyObject,
    Field,
    ListOf,
    OfRuleset,
    OneOf,
    Record,
    Rows,
    Shape,
)
from games.engine.replay import OPENING, AnyRuleset
from games.engine.views import Ending, JoiningView, OpenEnding, without_wording

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
DEFINITIONS: Final = "#/$defs/"
PARTS: Final[Mapping[str, str]] = {
    "view": "What a seat or a spectator may know now.",
    "open_view": "A finished or abandoned game after one of its entries, with all cards open.",
    "at": "What `at/{seq}/` returns: an open view once the game is over, a view before.",
    "choices": "What a seat, or somebody who directs the game, may do now.",
    "choice": "A move that a seat, or somebody who directs the game, may make now.",
    "move": "A move, as it is sent and as it is in the log.",
    "logged": "A move in the log, or its first entry, the opening.",
    "row": "A row of the score sheet in a result.",
    "options": "The options of a game.",
}


def typed_schema(kind: str, cls: type) -> JsonObject:
    """Return the JSON Schema of a move: its fields and the constant ``type``."""
    described: dict[str, Any] = {**shapes.schema(cls)}
    properties = {"type": {"const": kind}, **described["properties"]}
    return {**described, "properties": properties, "required": ["type", *described["required"]]}


def document(ruleset: AnyRuleset) -> JsonObject:
    """Return a JSON Schema with a definition for each of `PARTS`; an instance of the whole is a view."""
    named, parts = definitions(ruleset, DEFINITIONS)
    return {
        "$schema": DIALECT,
        "title": f"{ruleset.title}, edition {ruleset.version}",
        "$ref": "#/$defs/view",
        "$defs": {**{name: {"description": about, **parts[name]} for name, about in PARTS.items()}, **named},
    }


def move_schemas(ruleset: AnyRuleset) -> Mapping[str, JsonObject]:
    """Return the JSON Schema of every move of a game by type, including the common moves."""
    return {kind: typed_schema(kind, cls) for kind, cls in {**ruleset.moves, **COMMON}.items()}


def part(ruleset: AnyRuleset, name: str) -> JsonObject:
    """Return the schema of one of `PARTS`, complete in itself."""
    return {**document(ruleset), "$ref": f"#/$defs/{name}"}


def prefix(ruleset: AnyRuleset) -> str:
    """Return how the names of a ruleset's definitions begin: ``RummyV1`` for ``rummy@1``."""
    return f"{camel(ruleset.key)}V{ruleset.version}"


def camel(key: str) -> str:
    """Return a key as a part of a definition's name: ``LayDown`` for ``lay_down``."""
    return "".join(word.title() for word in key.replace("-", "_").split("_"))


class Definitions:
    """Schemas with names, which refer to each other by ``at`` and the name."""

    def __init__(self, at: str) -> None:
        self.at = at
        self.named: dict[str, JsonObject] = {}

    def add(self, name: str, schema: JsonObject) -> JsonObject:
        """Return a reference to a schema; raise TypeError if the name has another one."""
        if self.named.setdefault(name, schema) != schema:
            raise TypeError(f"there are two definitions of {name}")
        return {"$ref": f"{self.at}{name}"}

    def name(self, cls: type) -> str:
        """Return the name of a declared dataclass."""
        return cls.__name__.lstrip("_")

    def typed_name(self, kind: str, cls: type) -> str:
        """Return the name of a dataclass that is written with its type, without its suffix."""
        return camel(kind)

    def declared(self, shape: AnyObject) -> JsonObject:
        """Return the schema of an object that is declared elsewhere."""
        return SCHEMAS["object"](shape, ())

    def schema(self, shape: Shape) -> JsonObject:
        """Return the schema of a shape, with a reference in place of each record."""
        match shape:
            case Record():
                return self.record(self.name(shape.cls), shape)
            case AnyObject():
                return self.declared(shape)
            case _:
                return SCHEMAS[shape.kind](shape, [self.schema(part) for part in shape.parts])

    def record(self, name: str, shape: Record) -> JsonObject:
        """Return a reference to the schema of a record."""
        return self.add(name, self.fields(name, shape))

    def fields(self, name: str, shape: Record) -> JsonObject:
        """Return the schema of a record itself, with references in place of what is inside."""
        return SCHEMAS["record"](shape, [self.field(name, field) for field in shape.fields])

    def field(self, owner: str, field: Field) -> JsonObject:
        """Return the schema of a field; a set of values has a name, so that it is the same type elsewhere."""
        if field.shape.kind != "list":
            return self._value(f"{owner}{camel(field.name)}", field.shape)
        return {**self.schema(field.shape), "items": self.item(owner, field)}

    def item(self, owner: str, field: Field) -> JsonObject:
        """Return the schema of an item of a field that is a list."""
        return self._value(f"{owner}{camel(field.name)}", field.shape.parts[0])

    def _value(self, name: str, shape: Shape) -> JsonObject:
        schema = self.schema(shape)
        return self.add(name, schema) if _is_set(shape) else schema

    def typed(self, kinds: Mapping[str, type], suffix: str) -> JsonObject:
        """Return the schema of one of several dataclasses, told apart by their types."""
        return one_of("type", {kind: self._typed(kind, cls, suffix) for kind, cls in kinds.items()})

    def _typed(self, kind: str, cls: type, suffix: str) -> JsonObject:
        name = f"{self.typed_name(kind, cls)}{suffix}"
        made = with_type(kind, self.fields(name, shapes.record(cls)))
        return self.add(
            name, {**described_as(cls), **made, "examples": [{"type": kind, **shapes.example(cls)}]}
        )


def _is_set(shape: Shape) -> bool:
    """Return whether a shape is a set of values, or may be one of a set."""
    if shape.kind == "either":
        return any(map(_is_set, shape.parts))
    return isinstance(shape, OneOf) and shape != NOTHING


def with_type(kind: str, record: Mapping[str, Any]) -> JsonObject:
    """Return the schema of a record that is written with its type."""
    properties = {"type": {"const": kind}, **record["properties"]}
    return {**record, "properties": properties, "required": ["type", *record["required"]]}


def described_as(cls: type) -> JsonObject:
    """Return the description of a dataclass: the first paragraph of its docstring, in Markdown."""
    about = " ".join((getdoc(cls) or "").split("\n\n")[0].split()).replace("``", "`")
    return {} if not about or about.startswith(f"{cls.__name__}(") else {"description": about}


def one_of(discriminator: str, refs: Mapping[str, JsonObject]) -> JsonObject:
    """Return the schema of one of several objects, told apart by the values of a property."""
    mapping = {value: ref["$ref"] for value, ref in refs.items()}
    return {
        "oneOf": [{"$ref": each} for each in dict.fromkeys(mapping.values())],
        "discriminator": {"propertyName": discriminator, "mapping": mapping},
    }


class _OfRuleset(Definitions):
    """The definitions of one ruleset; what all games have is not prefixed with its name."""

    def __init__(self, ruleset: AnyRuleset, at: str) -> None:
        super().__init__(at)
        self.ruleset = ruleset

    def own(self, name: str) -> str:
        return f"{prefix(self.ruleset)}{name}"

    def name(self, cls: type) -> str:
        plain = super().name(cls)
        return plain if cls.__module__.startswith("games.engine.") else self.own(plain)

    def typed_name(self, kind: str, cls: type) -> str:
        plain = super().typed_name(kind, cls)
        return plain if cls in COMMON.values() else self.own(plain)

    def declared(self, shape: AnyObject) -> JsonObject:
        if isinstance(shape.declared, OfRuleset) and shape.declared.part == "options":
            return self.options()
        return super().declared(shape)

    def options(self) -> JsonObject:
        return self.record(self.own("Options"), shapes.record(self.ruleset.options))


def definitions(ruleset: AnyRuleset, at: str) -> tuple[Mapping[str, JsonObject], Mapping[str, JsonObject]]:
    """Return all definitions by name, and of each of `PARTS` the schema, which refers to them by ``at``."""
    made = _OfRuleset(ruleset, at)
    view = made.add(made.own("View"), _view(made, "PlayView", ruleset.view_shape, "JoiningView", Ending))
    full = ruleset.full_shape or ruleset.view_shape
    opened = made.add(made.own("OpenView"), _view(made, "OpenPlayView", full, "OpenJoiningView", OpenEnding))
    choice = made.add(made.own("Choice"), _choices(made))
    move = made.add(made.own("Move"), made.typed({**ruleset.moves, **COMMON}, "Move"))
    parts: Mapping[str, JsonObject] = {
        "view": view,
        "open_view": opened,
        "at": {"anyOf": [view, opened]},
        "choices": {"type": "array", "items": choice},
        "choice": choice,
        "move": move,
        "logged": made.add(made.own("LoggedMove"), _logged(made, move)),
        "row": _row(made),
        "options": made.options(),
    }
    return made.named, parts


def _view(made: _OfRuleset, name: str, first: type, joining: str, ending: type) -> JsonObject:
    """Return the schema of a view: of a game that is played, or of one that waits for its seats."""
    played, waits = (
        made.record(called, shapes.joined(shapes.record(cls), shapes.record(ending)))
        for called, cls in ((made.own(name), first), (joining, JoiningView))
    )
    # Without a discriminator: `phase` has several values for one of the two, which readers of schemas refuse.
    return {"oneOf": [played, waits]}


def _logged(made: _OfRuleset, move: JsonObject) -> JsonObject:
    """Return the schema of a move in the log: of the opening too."""
    (kind, cls), *_ = OPENING.items()
    known: Mapping[str, Shape] = {"ruleset": OneOf((made.ruleset.name,)), "clock": shapes.record(Clock)}
    fields = (replace(field, shape=known.get(field.name, field.shape)) for field in shapes.record(cls).fields)
    name = made.own("Opening")
    opening = made.add(name, with_type(kind, made.fields(name, Record(cls, tuple(fields)))))
    moves: Any = made.named[str(move["$ref"]).removeprefix(made.at)]
    known_moves = {each: {"$ref": ref} for each, ref in moves["discriminator"]["mapping"].items()}
    return one_of("type", {kind: opening, **known_moves})


def _row(made: _OfRuleset) -> JsonObject:
    """Return the schema of a row of a result's sheet: that of a view's without wording."""
    sheet = next(field for field in shapes.record(made.ruleset.view_shape).fields if field.name == "sheet")
    assert isinstance(sheet.shape, ListOf) and isinstance(sheet.shape.item, Record)
    return made.schema(_without_wording(sheet.shape.item))


def _without_wording(shape: Any) -> Any:
    match shape:
        case Record():
            kept = [field for field in shape.fields if without_wording({field.name: None})]
            fields = tuple(replace(field, shape=_without_wording(field.shape)) for field in kept)
            if fields == shape.fields:
                return shape
            return Record(
                type(f"Recorded{shape.cls.__name__}", (), {"__module__": shape.cls.__module__}), fields
            )
        case ListOf():
            return replace(shape, item=_without_wording(shape.item))
        case _:
            return shape


def _choices(made: _OfRuleset) -> JsonObject:
    common = {kind: COMMON[kind] for kind in SEAT_MOVES if kind != "resign"}
    return one_of(
        "type", {kind: _choice(made, kind, cls) for kind, cls in {**made.ruleset.moves, **common}.items()}
    )


def _choice(made: Definitions, kind: str, cls: type) -> JsonObject:
    """Return the schema of a `games.engine.base.Choice` of one type of move."""
    name, move = made.typed_name(kind, cls), shapes.record(cls)
    fields = _object(
        {field.name: _field_choice(made, f"{name}Move", field) for field in move.fields},
        required=[field.name for field in move.fields if field.required],
    )
    return made.add(
        f"{name}Choice",
        _object({"type": {"const": kind}, "fields": fields}, required=["type", "fields"]),
    )


def _field_choice(made: Definitions, owner: str, field: Field) -> JsonObject:
    """Return the schema of a `games.engine.base.FieldChoice` of a move."""
    value = made.field(owner, field)
    properties = _properties(value, draft=value)
    if isinstance(field.shape, Rows):
        row = field.shape.item
        line = {each.name: _line_choice(made, made.name(row.cls), each) for each in row.fields}
        properties["by_seat"] = {"type": "array", "items": _object(line, required=[*line])}
    return _object(properties, required=["values"])


def _line_choice(made: Definitions, owner: str, field: Field) -> JsonObject:
    """Return the schema of a field in a seat's line; for a list ``values`` holds its possible items."""
    value = made.field(owner, field)
    item = made.item(owner, field) if field.shape.kind == "list" else value
    return _object(_properties(item, draft=value), required=["values"])


def _properties(value: JsonObject, *, draft: JsonObject) -> dict[str, Json]:
    return {
        "values": {"type": "array", "items": value},
        "complete": {"type": "boolean", "description": "false: other values may be legal too"},
        "optional": {"type": "boolean", "description": "true: the field can be left out"},
        "about": {"type": "string", "description": "what other values are legal"},
        "draft": draft,
        "seats": {"type": "boolean", "description": "true: the values are seats"},
        "worth": {"type": "object", "additionalProperties": {"type": "integer"}},
        "title": {"type": "string", "description": "what stands above the field"},
        "offered": {
            "type": "array",
            "items": value,
            "description": "values of which each is possible, but not with all values of other fields",
        },
        "needed_with": {"type": "string", "description": "a field that can't be given without this one"},
        "left": {"type": "boolean", "description": "true: optional since the seat has left the game"},
    }


def _object(properties: Mapping[str, Json], *, required: list[str]) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
