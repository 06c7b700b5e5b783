"""The parts of the OpenAPI document that rulesets and events declare, as `oneOf` with discriminators.

A schema may have a mark in place of what a ruleset declares (`declared_by_ruleset`). `complete` gives each
component with such marks a variant for every ruleset: ``ScoopsV1Game`` beside ``ScramV1Game``. ``Game`` is
one of these, told apart by its property ``ruleset``. A component without that property is any of its
variants, or, inside one that has it, the variant of the same ruleset.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from games import rules
from games.engine import schemas, shapes
from games.engine.kinds import SCHEMAS, AnyObject, Described, OfRuleset, Record, Shape
from games.engine.replay import AnyRuleset
from games.engine.schemas import Definitions, camel, described_as, one_of, prefix
from league.core import formats
from league.core.events import EVENTS
from league.core.formats import Format
from league.core.state.plan import Opening, StagePlan

AT: Final = "#/components/schemas/"
MARK: Final = "x-ruleset"
BODY: Final = "x-body"
EVENT: Final = "CompetitionEvent"
"""The component of an event in a competition's log."""
PLAN: Final = "StagePlan"
"""The component of a stage's plan."""
ANNOUNCED: Final = ("stages", "pace", "lineup", "entering", "waits")
"""What a preset says of an opening."""
OPEN: Final = {
    "type": "object",
    "description": "What a game whose rules are not known here declares.",
    "additionalProperties": True,
}

Schema: TypeAlias = dict[str, Any]

_COMPONENTS: Final[dict[str, Schema]] = {}


def ref(name: str) -> Schema:
    """Return a reference to a component."""
    return {"$ref": f"{AT}{name}"}


def component(name: str, schema: Schema) -> Schema:
    """Add a component to the document, for what no serializer describes, and return a reference to it."""
    _COMPONENTS[name] = schema
    return ref(name)


def json_schema() -> Schema:
    """Return a reference to the component of a JSON Schema."""
    name, text, number = ref("JSONSchema"), {"type": "string"}, {"type": "integer"}
    return component(
        "JSONSchema",
        {
            "type": "object",
            "description": "A JSON Schema (2020-12), here with its most frequent keywords.",
            "properties": {
                **dict.fromkeys(("type", "title", "description", "pattern"), text),
                **dict.fromkeys(("minimum", "maximum", "minItems", "maxItems"), number),
                **dict.fromkeys(("anyOf", "oneOf"), list_of(name)),
                "items": name,
                "properties": {"type": "object", "additionalProperties": name},
                "required": list_of(text),
            },
            "additionalProperties": True,
        },
    )


def an_object(about: str, properties: Mapping[str, Schema]) -> Schema:
    """Return the schema of an object with these properties, all of them required."""
    return {
        "type": "object",
        **({"description": about} if about else {}),
        "properties": {**properties},
        "required": [*properties],
    }


def named(name: str, about: str, /, **properties: Schema) -> Schema:
    """Add an object with these properties, all required, to the document; return a reference to it."""
    return component(name, an_object(about, properties))


def nullable(schema: Schema) -> Schema:
    """Return the schema of a value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(schema: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def declared_by_ruleset(part: str) -> Schema:
    """Return the mark in place of one of `games.engine.schemas.PARTS`."""
    return {MARK: part}


def body_schema(body: type) -> Schema:
    """Return the schema of a request's declared body, with marks and an example."""
    builders = {**SCHEMAS, "object": _declared}
    schema: Any = shapes.record(body).fold(builders)
    example = {**shapes.example(body), **getattr(body, "example", {})}
    return {**described_as(body), **schema, "examples": [example], BODY: True}


def _declared(shape: AnyObject, parts: Sequence[Any]) -> Any:
    match shape.declared:
        case OfRuleset(part):
            return declared_by_ruleset(part)
        case Described(name):
            return ref(name)
        case None:
            return dict(SCHEMAS["object"](shape, parts))


def polled_schema(name: str, data: Mapping[str, Schema]) -> Schema:
    """Return the schema of an event in the answer of a long poll, by the names of events and their data."""
    events = {
        event: component(
            f"{name}{camel(event)}",
            an_object("", {"event": {"const": event}, "id": {"type": "string"}, "data": schema}),
        )
        for event, schema in data.items()
    }
    return dict(one_of("event", events))


def events_schema(data: Mapping[str, Schema]) -> Schema:
    """Return the schema of a server-sent event, by the names of events and their data."""
    return {
        "description": "An event, field by field; `data` is JSON.",
        "oneOf": [
            {
                "type": "object",
                "properties": {
                    "event": {"const": event},
                    "id": {"type": "string"},
                    "data": {
                        "type": "string",
                        "contentMediaType": "application/json",
                        "contentSchema": schema,
                    },
                },
                "required": ["event", "data"],
            }
            for event, schema in data.items()
        ],
    }


def links(operations: Sequence[str]) -> Schema:
    """Return links to operations, by their ids, that take the ``id`` of what was returned."""
    return {
        operation: {"operationId": operation, "parameters": {"id": "$response.body#/id"}}
        for operation in operations
    }


def complete(result: Schema, **_: Any) -> Schema:
    """Return the document with the components that rulesets and events declare, as drf-spectacular's hook."""
    component("AnyOptions", _any_options())
    named: Schema = {**result["components"]["schemas"], **_COMPONENTS}
    declared = [_events(), _plans(), *(dict(schemas.definitions(each, AT)[0]) for each in rules.RULESETS)]
    added: Schema = {name: schema for each in declared for name, schema in each.items()}
    if doubled := {*named} & {*added}:
        raise TypeError(f"there are two components named {sorted(doubled)}")
    made = {**named, **added, **_variants(named)}
    result["components"]["schemas"] = {
        name: {key: value for key, value in made[name].items() if key != BODY} for name in sorted(made)
    }
    return result


class _Logged(Definitions):
    """The definitions of a competition's log."""

    def name(self, cls: type) -> str:
        return f"Logged{super().name(cls)}"

    def declared(self, shape: AnyObject) -> Schema:
        return dict(_declared(shape, ()))

    def schema(self, shape: Shape) -> Any:
        if isinstance(shape, Record) and shape.cls is StagePlan:
            return ref(PLAN)
        return super().schema(shape)


def _events() -> Schema:
    """Return the components of the events in competitions' logs."""
    made = _Logged(AT)
    events = made.typed(dict(sorted(EVENTS.items())), "Event")
    announced = [field for field in shapes.record(Opening).fields if field.name in ANNOUNCED]
    preset: Any = made.fields("PresetOpening", Record(Opening, tuple(announced)))
    return {
        **made.named,
        EVENT: {"description": "An event, as it is in the log.", **events},
        "PresetOpening": {**preset, "required": [*preset["properties"]]},
    }


def _plans() -> Schema:
    """Return the components of a stage's plan, told apart by the format, with its own parameters."""
    made = Definitions(AT)
    plans = {
        key: made.add(f"{camel(key)}{PLAN}", _plan(made, format_)) for key, format_ in formats.BY_KEY.items()
    }
    return {**made.named, PLAN: {**described_as(StagePlan), **one_of("format", plans)}}


def _plan(made: Definitions, format_: Format) -> Schema:
    whole = shapes.record(StagePlan)
    params, default = shapes.record(format_.params), format_.params()
    fields = [
        replace(field, shape=params, default=default) if field.name == "params" else field
        for field in whole.fields
    ]
    schema: Any = made.fields(PLAN, Record(StagePlan, tuple(fields)))
    return {**schema, "properties": {**schema["properties"], "format": {"const": format_.key}}}


def _any_options() -> Schema:
    """Return the component for the options of any game, where nothing beside them says of which."""
    known = [ref(f"{prefix(ruleset)}Options") for ruleset in rules.RULESETS]
    return {"anyOf": [*known, component("OtherOptions", OPEN)]}


# ---- Variants of components by ruleset -----------------------------------------------------------


def _variants(named: Schema) -> Schema:
    """Return the components with marks as unions, and all their variants."""
    marked = _marked(named)
    inner = {name for name in marked if not _names_ruleset(named[name])}
    made: Schema = {}
    for name in marked:
        for ruleset in rules.RULESETS:
            made[f"{prefix(ruleset)}{name}"] = _variant(named[name], ruleset, inner)
        if BODY not in named[name]:
            made[f"Other{name}"] = _other(named[name], inner)
        made |= _unions(name, named[name])
    return made


def _marked(named: Schema) -> list[str]:
    """Return the names of components that have marks, or refer to one that has them and no ruleset."""
    marked: set[str] = set()
    while True:
        inner = {AT + name for name in marked if not _names_ruleset(named[name])}
        found = {
            name
            for name, schema in named.items()
            if any(MARK in each or each.get("$ref") in inner for each in _inside(schema))
        }
        if found == marked:
            return sorted(marked)
        marked = found


def _names_ruleset(schema: Schema) -> bool:
    return "ruleset" in schema.get("properties", {})


def _unions(name: str, whole: Schema) -> Schema:
    """Return the component that is any variant: told apart by their `ruleset` if they have it.

    Answers may be about games whose rules are not known here. These have no value of a discriminator, so the
    others are a component of their own.
    """
    about = {"description": whole["description"]} if "description" in whole else {}
    variants = {ruleset: ref(f"{prefix(ruleset)}{name}") for ruleset in rules.RULESETS}
    others = [] if BODY in whole else [ref(f"Other{name}")]
    if not _names_ruleset(whole):
        return {name: {**about, "anyOf": [*variants.values(), *others]}}
    names = {each: variant for ruleset, variant in variants.items() for each in _names(ruleset, whole)}
    known: Schema = {**about, **one_of("ruleset", names)}
    if not others:
        return {name: known}
    return {f"Known{name}": known, name: {**about, "oneOf": [ref(f"Known{name}"), *others]}}


def _names(ruleset: AnyRuleset, whole: Schema) -> Sequence[str]:
    """Return the names of a ruleset in an answer, or in a body, where a key alone is its newest edition."""
    newest = BODY in whole and rules.NEWEST[ruleset.key] is ruleset
    return (ruleset.key, ruleset.name) if newest else (ruleset.name,)


def _variant(whole: Schema, ruleset: AnyRuleset, inner: set[str]) -> Schema:
    """Return a component as a ruleset has it."""
    parts = schemas.definitions(ruleset, AT)[1]
    names = _names(ruleset, whole)
    made = _filled(whole, prefix(ruleset), inner, lambda part: dict(parts[part]))
    made = _with_ruleset(made, {"const": names[0]} if len(names) == 1 else {"enum": [*names]})
    if "examples" in made:
        made["examples"] = [example_of(ruleset, whole, example) for example in made["examples"]]
    return made


def _other(whole: Schema, inner: set[str]) -> Schema:
    """Return a component for games whose rules are not known here."""
    known = [ruleset.name for ruleset in rules.RULESETS]
    made = _filled(whole, "Other", inner, lambda _: dict(OPEN))
    return _with_ruleset(made, {"type": "string", "not": {"enum": known}})


def _filled(whole: Schema, prefix: str, inner: set[str], part_of: Callable[[str], Schema]) -> Any:
    """Return a component with its marks filled in, and with references to the same variant of others."""

    def filled(value: Any) -> Any:
        if isinstance(value, list):
            return [filled(each) for each in value]
        if not isinstance(value, dict):
            return value
        if MARK in value:
            return {**part_of(value[MARK]), **{key: each for key, each in value.items() if key != MARK}}
        name = str(value.get("$ref", "")).removeprefix(AT)
        change = ref(f"{prefix}{name}") if name in inner else {}
        return {**{key: filled(each) for key, each in value.items()}, **change}

    return filled(whole)


def _with_ruleset(schema: Schema, names: Schema) -> Schema:
    if not _names_ruleset(schema):
        return schema
    about = {key: each for key, each in schema["properties"]["ruleset"].items() if key == "description"}
    return {**schema, "properties": {**schema["properties"], "ruleset": {**names, **about}}}


def example_of(ruleset: AnyRuleset, whole: Schema, example: Schema) -> Schema:
    """Return the example of a body as a ruleset has it: with its name, and one of its moves."""
    kind, move = next(iter(ruleset.moves.items()))
    made = {"type": kind, **shapes.example(move)}
    properties: Schema = whole["properties"]
    moves = {name: made for name, each in properties.items() if each.get(MARK) == "move"}
    lists = {name: [made] for name, each in properties.items() if each.get("items", {}).get(MARK) == "move"}
    named = {"ruleset": ruleset.name} if _names_ruleset(whole) else {}
    return {**example, **named, **moves, **lists}


def _inside(value: Any) -> Iterator[Schema]:
    """Yield all objects in a schema."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _inside(each)
