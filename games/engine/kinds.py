"""The kinds of value that a declared field may have: each reads, writes and describes itself as JSON."""

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine.jsontypes import Json, JsonObject
from games.engine.refusals import Malformed


@dataclass(frozen=True)
class Matching:
    """A pattern that the whole text matches, and what to call such a text."""

    pattern: str
    what: str


class Shape(Protocol):
    """One kind of value: reads it from JSON, writes it back, describes it as JSON Schema."""

    def read(self, value: object, path: str) -> Any:
        """Return the Python value; raise `Malformed` with the path of what is wrong."""

    def write(self, value: Any) -> Json:
        """Return the JSON value that `read` would turn into ``value``."""

    def schema(self) -> JsonObject:
        """Return the JSON Schema (2020-12) of the values that `read` accepts."""


@dataclass(frozen=True)
class Whole:
    """An integer within bounds; booleans are not integers here."""

    low: int
    high: int

    def read(self, value: object, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Malformed({path: ["This must be a whole number."]})
        if not self.low <= value <= self.high:
            raise Malformed({path: [f"This must be between {self.low} and {self.high}."]})
        return value

    def write(self, value: int) -> Json:
        return value

    def schema(self) -> JsonObject:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, value: object, path: str) -> bool:
        if not isinstance(value, bool):
            raise Malformed({path: ["This must be true or false."]})
        return value

    def write(self, value: bool) -> Json:
        return value

    def schema(self) -> JsonObject:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Text:
    """Printable text of bounded length; control characters and lone surrogates are refused."""

    low: int
    high: int
    matching: Matching | None = None

    def read(self, value: object, path: str) -> str:
        if not isinstance(value, str):
            raise Malformed({path: [f"This must be {self.matching.what if self.matching else 'text'}."]})
        if self.matching:
            if not re.fullmatch(self.matching.pattern, value):
                raise Malformed({path: [f"This must be {self.matching.what}."]})
        elif not self.low <= len(value) <= self.high:
            raise Malformed({path: [f"This must have {self.low} to {self.high} characters."]})
        elif any(unprintable(character) for character in value):
            raise Malformed({path: ["This has a character that cannot be printed."]})
        return value

    def write(self, value: str) -> Json:
        return value

    def schema(self) -> JsonObject:
        if self.matching:
            return {"type": "string", "pattern": f"^(?:{self.matching.pattern})$"}
        return {"type": "string", "minLength": self.low, "maxLength": self.high}


def unprintable(character: str) -> bool:
    """Return whether a database or a page would choke on the character."""
    code = ord(character)
    return code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code in (0x2028, 0x2029)


@dataclass(frozen=True)
class OneOf:
    """One of a few fixed values, each of its own type (1 is not true)."""

    values: tuple[str | int | bool | None, ...]

    def read(self, value: object, path: str) -> str | int | bool | None:
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return allowed
        names = ", ".join(map(_as_json_says, self.values))
        raise Malformed({path: [f"This must be {'one of ' if len(self.values) > 1 else ''}{names}."]})

    def write(self, value: str | int | bool | None) -> Json:
        return value

    def schema(self) -> JsonObject:
        return {"enum": list(self.values)}


def _as_json_says(value: str | int | bool | None) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True)
class ListOf:
    """A list of one shape, read as a tuple."""

    item: Shape
    low: int
    high: int

    def read(self, value: object, path: str) -> tuple[Any, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise Malformed({path: ["This must be a list."]})
        if not self.low <= len(value) <= self.high:
            raise Malformed({path: [f"This must have {self.low} to {self.high} items."]})
        return tuple(self._read_items(value, path))

    def _read_items(self, value: Sequence[object], path: str) -> list[Any]:
        """Return the items read; raise `Malformed` with all that is wrong in any of them."""
        read, errors = [], dict[str, list[str]]()
        for index, item in enumerate(value):
            try:
                read.append(self.item.read(item, _join(path, str(index))))
            except Malformed as refusal:
                errors |= refusal.errors
        if errors:
            raise Malformed(errors)
        return read

    def write(self, value: tuple[Any, ...]) -> Json:
        return [self.item.write(item) for item in value]

    def schema(self) -> JsonObject:
        return {"type": "array", "items": self.item.schema(), "minItems": self.low, "maxItems": self.high}


@dataclass(frozen=True)
class AnyObject:
    """An object whose fields somebody else declares (a ruleset's options); floats have no place in a log."""

    def read(self, value: object, path: str) -> Mapping[str, Json]:
        if not isinstance(value, Mapping) or not _loggable(value):
            raise Malformed({path: ["This must be an object, without fractional numbers."]})
        return dict(value)

    def write(self, value: Mapping[str, Json]) -> Json:
        return dict(value)

    def schema(self) -> JsonObject:
        return {"type": "object"}


def _loggable(value: object) -> bool:
    """Return whether a value is JSON as logs may hold it: text can be printed, numbers are whole."""
    match value:
        case Mapping():
            return all(isinstance(name, str) and _loggable([name, part]) for name, part in value.items())
        case list() | tuple():
            return all(_loggable(part) for part in value)
        case str():
            return not any(unprintable(character) for character in value)
        case _:
            return value is None or isinstance(value, int)


@dataclass(frozen=True)
class AnyOf:
    """The first of several shapes that reads the value."""

    shapes: tuple[Shape, ...]

    def read(self, value: object, path: str) -> Any:
        sentences = []
        for shape in self.shapes:
            try:
                return shape.read(value, path)
            except Malformed as refusal:
                sentences.append(refusal.sentence.removeprefix(f"{path}: "))
        raise Malformed({path: [" Or: ".join(sentences)]})

    def write(self, value: Any) -> Json:
        for shape in self.shapes:
            try:
                written = shape.write(value)
                if shape.read(written, "") == value:
                    return written
            except (Malformed, AttributeError, TypeError):
                continue
        raise TypeError(f"{value!r} has none of the declared shapes")

    def schema(self) -> JsonObject:
        return {"anyOf": [shape.schema() for shape in self.shapes]}


@dataclass(frozen=True)
class Field:
    """One field of a record: its names in Python and JSON, shape, default and help."""

    attribute: str
    name: str
    shape: Shape
    default: Any
    help: str

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING

    def schema(self) -> JsonObject:
        described: dict[str, Json] = {**self.shape.schema()}
        if self.help:
            described["description"] = self.help
        if not self.required:
            described["default"] = self.shape.write(self.default)
        return described


@dataclass(frozen=True)
class Record:
    """An object with known fields and no others, read as a dataclass."""

    cls: type
    fields: tuple[Field, ...]

    def read(self, value: object, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise Malformed({path: ["This must be an object."]})
        errors: dict[str, list[str]] = {}
        for name in value:
            if name not in {field.name for field in self.fields}:
                errors[_join(path, _printable(name))] = ["This field is not known here."]
        read = {}
        for field in self.fields:
            try:
                read[field.attribute] = self._read_field(field, value, path)
            except Malformed as refusal:
                errors |= refusal.errors
        if errors:
            raise Malformed(errors)
        return self.cls(**read)

    def _read_field(self, field: Field, value: Mapping[Any, object], path: str) -> Any:
        if field.name in value:
            return field.shape.read(value[field.name], _join(path, field.name))
        if field.required:
            raise Malformed({_join(path, field.name): ["This field is required."]})
        return field.default

    def write(self, value: Any) -> JsonObject:
        pairs = ((field, getattr(value, field.attribute)) for field in self.fields)
        return {
            field.name: field.shape.write(part)
            for field, part in pairs
            if field.required or part != field.default
        }

    def schema(self) -> JsonObject:
        return {
            "type": "object",
            "properties": {field.name: field.schema() for field in self.fields},
            "required": [field.name for field in self.fields if field.required],
            "additionalProperties": False,
        }


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _printable(name: object) -> str:
    """Return a short, safe echo of a field name that a caller made up."""
    return "".join("?" if unprintable(character) else character for character in str(name)[:40])
