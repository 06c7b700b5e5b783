"""The kinds of value that a declared field may have; each reads and writes its JSON.

Everything else that is made of a shape (its JSON Schema, a form field, words on a page, the reader of typed
text) is a table with a function for each kind; `Shape.fold` applies them from the innermost part outward.
"""

import dataclasses
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import islice
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, all_of, alternatives, plural, text
from games.engine.names import hides_something, in_print, unprintable
from games.engine.refusals import MOST_ERRORS, Malformed, first_errors

T = TypeVar("T")
Kind: TypeAlias = Literal["flag", "number", "text", "choice", "list", "rows", "record", "object", "either"]
Builders: TypeAlias = Mapping[Kind, Callable[[Any, Sequence[T]], T]]
"""For each kind a function of the shape and of the results for its parts."""

HIDDEN: Final = text("A name must not have characters that cannot be seen.")
_NOT_PRINTED: Final = text("This has a character that cannot be printed.")
_NO_OBJECT: Final = text("This must be an object, without fractional numbers.")


@dataclass(frozen=True)
class Matching:
    """A pattern that the whole text must match, and a description of such a text.

    ``spelt`` corrects what people type: "10♥" to "TH". ``example`` is such a text. A text of the pattern
    ``other`` is read too, as ``reads`` writes it: "0,5" as "1/2". ``means`` raises ValueError for a text of
    the pattern that means nothing: 30 February.
    """

    pattern: str
    what: str
    spelt: Callable[[str], str] = str
    example: str = ""
    reads: Callable[[str], str] = str
    other: str = ""
    means: Callable[[str], object] = str

    @cached_property
    def fullmatch(self) -> Callable[[str], object]:
        """Return the function that matches a whole text; digits and letters are those of ASCII."""
        matches = re.compile(self.pattern, re.ASCII).fullmatch
        return matches if self.means is str else lambda value: matches(value) and self._has_meaning(value)

    def _has_meaning(self, value: str) -> bool:
        try:
            self.means(value)
        except ValueError:
            return False
        return True

    @property
    def refused(self) -> Message:
        """Return the sentence for a text that does not match."""
        return text("This must be %(what)s.", what=Message(self.what, {}))


@dataclass(frozen=True)
class Reference:
    """An annotation of an id: what it refers to, so that a form can list what exists."""

    what: Literal["entry", "player", "table", "game"]


@dataclass(frozen=True)
class OfRuleset:
    """An annotation of an object that the ruleset of its game declares: which of its parts it is."""

    part: Literal["move", "options"]


@dataclass(frozen=True)
class Described:
    """An annotation of an object: the name of the schema that describes it in the API's document."""

    schema: str
    example: JsonObject = dataclasses.field(default_factory=dict, hash=False)


class Shape(ABC):
    """One kind of value."""

    kind: ClassVar[Kind]

    @abstractmethod
    def read(self, value: object, path: str) -> Any:
        """Return the Python value; raise `Malformed` with the paths of wrong fields."""

    def write(self, value: Any) -> Json:
        """Return the JSON of a value: the inverse of `read`."""
        written: Json = value
        return written

    @property
    def parts(self) -> "tuple[Shape, ...]":
        """Return the shapes inside: of a list's items, a record's fields, the alternatives."""
        return ()

    @property
    def bare(self) -> "Shape":
        """Return the shape without None, for forms that mean None by an empty input."""
        return self

    def fold(self, build: Builders[T]) -> T:
        """Return the result of ``build`` for the shape."""
        return build[self.kind](self, [part.fold(build) for part in self.parts])

    def schema(self) -> JsonObject:
        """Return the JSON Schema (2020-12) of the values that `read` accepts."""
        return self.fold(SCHEMAS)


@dataclass(frozen=True)
class Whole(Shape):
    """An integer within bounds; booleans are not integers here."""

    kind: ClassVar[Kind] = "number"
    low: int
    high: int

    def read(self, value: object, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Malformed({path: [text("This must be a whole number.")]})
        if not self.low <= value <= self.high:
            raise Malformed(
                {path: [text("This must be between %(low)s and %(high)s.", low=self.low, high=self.high)]}
            )
        return value


@dataclass(frozen=True)
class Flag(Shape):
    """True or false."""

    kind: ClassVar[Kind] = "flag"

    def read(self, value: object, path: str) -> bool:
        if not isinstance(value, bool):
            raise Malformed({path: [text("This must be true or false.")]})
        return value


@dataclass(frozen=True)
class Text(Shape):
    """Printable text of bounded length; control characters and lone surrogates are refused."""

    kind: ClassVar[Kind] = "text"
    low: int
    high: int
    matching: Matching | None = None
    reference: Reference | None = None
    is_name: bool = False

    def read(self, value: object, path: str) -> str:
        if not isinstance(value, str):
            raise Malformed({path: [self.matching.refused if self.matching else text("This must be text.")]})
        if self.matching:
            if not self.matching.fullmatch(value):
                value = self.matching.reads(value)
            if not self.matching.fullmatch(value):
                raise Malformed({path: [self.matching.refused]})
        elif not self.low <= len(value) <= self.high:
            raise Malformed({path: [_characters(self.low, self.high)]})
        elif unprintable(value):
            raise Malformed({path: [_NOT_PRINTED]})
        elif self.is_name and hides_something(value):
            raise Malformed({path: [HIDDEN]})
        return value

    def write(self, value: str) -> Json:
        # A message is written as its id.
        return value if type(value) is str else str.__str__(value)


def _characters(low: int, high: int) -> Message:
    if low == high:
        return plural("This must have %(count)s character.", "This must have %(count)s characters.", low)
    return plural(
        "This must have %(low)s to %(count)s character.",
        "This must have %(low)s to %(count)s characters.",
        high,
        low=low,
    )


@dataclass(frozen=True)
class OneOf(Shape):
    """One of a few fixed values, each of its own type (1 is not true)."""

    kind: ClassVar[Kind] = "choice"
    values: tuple[str | int | bool | None, ...]

    def read(self, value: object, path: str) -> str | int | bool | None:
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return allowed
        names = all_of([each if isinstance(each, str) else json.dumps(each) for each in self.values])
        if len(self.values) == 1:
            raise Malformed({path: [text("This must be %(what)s.", what=names)]})
        raise Malformed({path: [text("This must be one of %(values)s.", values=names)]})


NOTHING: Final = OneOf((None,))


@dataclass(frozen=True)
class ListOf(Shape):
    """A list of one shape, read as a tuple."""

    kind: ClassVar[Kind] = "list"
    item: Shape
    low: int
    high: int

    @property
    def parts(self) -> tuple[Shape, ...]:
        return (self.item,)

    def read(self, value: object, path: str) -> tuple[Any, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise Malformed({path: [text("This must be a list.")]})
        if not self.low <= len(value) <= self.high:
            raise Malformed({path: [_items(self.low, self.high)]})
        return tuple(self._read_items(value, path))

    def _read_items(self, value: Sequence[object], path: str) -> list[Any]:
        """Return the items; raise `Malformed` with the errors of all items, or the first of them."""
        read, errors = [], dict[str, list[str]]()
        for index, item in enumerate(value):
            try:
                read.append(self.item.read(item, _join(path, str(index))))
            except Malformed as refusal:
                errors |= refusal.errors
                if len(errors) > MOST_ERRORS:
                    break
        if errors:
            raise Malformed(first_errors(errors, path))
        return read

    def write(self, value: tuple[Any, ...]) -> Json:
        return [self.item.write(item) for item in value]


class Rows(ListOf):
    """A list of records, shown line by line."""

    kind: ClassVar[Kind] = "rows"
    item: "Record"


def _items(low: int, high: int) -> Message:
    if low == high:
        return plural("This must have %(count)s item.", "This must have %(count)s items.", low)
    return plural(
        "This must have %(low)s to %(count)s item.",
        "This must have %(low)s to %(count)s items.",
        high,
        low=low,
    )


@dataclass(frozen=True)
class AnyObject(Shape):
    """An object whose fields are declared elsewhere (a ruleset's options); floats are refused."""

    kind: ClassVar[Kind] = "object"
    declared: OfRuleset | Described | None = None

    def read(self, value: object, path: str) -> Mapping[str, Json]:
        if not isinstance(value, Mapping):
            raise Malformed({path: [_NO_OBJECT]})
        if wrong := _unfit(value):
            below, sentence = wrong
            whole = sentence is _NO_OBJECT or not below
            raise Malformed({path if whole else _join(path, below): [sentence]})
        return dict(value)

    def write(self, value: Mapping[str, Json]) -> Json:
        return dict(value)


def _unfit(value: object) -> tuple[str, Message] | None:
    """Return the path of what no log may hold in a JSON value, and why; None if all text is printable and all
    numbers are whole.

    A name that can't be printed has the path of its object. The path is made only where something is wrong.
    """
    if isinstance(value, str):
        return ("", _NOT_PRINTED) if unprintable(value) else None
    if isinstance(value, Mapping):
        return next(filter(None, map(_unfit_name, value)), None) or _unfit_part(value.items())
    if isinstance(value, list | tuple):
        return _unfit_part(enumerate(value))
    return None if value is None or isinstance(value, int) else ("", _NO_OBJECT)


def _unfit_name(name: object) -> tuple[str, Message] | None:
    return _unfit(name) if isinstance(name, str) else ("", _NO_OBJECT)


def _unfit_part(parts: Iterable[tuple[object, object]]) -> tuple[str, Message] | None:
    for name, part in parts:
        if wrong := _unfit(part):
            below, sentence = wrong
            return _join(in_print(name), below) if below else in_print(name), sentence
    return None


@dataclass(frozen=True)
class AnyOf(Shape):
    """The first of several shapes that reads the value."""

    kind: ClassVar[Kind] = "either"
    shapes: tuple[Shape, ...]

    @property
    def parts(self) -> tuple[Shape, ...]:
        return self.shapes

    @property
    def bare(self) -> Shape:
        others = [shape for shape in self.shapes if shape != NOTHING]
        return others[0] if len(others) == 1 else self

    def read(self, value: object, path: str) -> Any:
        sentences: list[str] = []
        for shape in self.shapes:
            try:
                return shape.read(value, path)
            except Malformed as refusal:
                sentences.append(refusal.said_of(path))
        raise Malformed({path: [reduce(alternatives, sentences)]})

    def write(self, value: Any) -> Json:
        for shape in self.shapes:
            if isinstance(shape, Record):
                if type(value) is shape.cls:
                    return shape.write(value)
                continue
            try:
                written = shape.write(value)
                if shape.read(written, "") == value:
                    return written
            except (Malformed, AttributeError, TypeError):
                continue
        raise TypeError(f"{value!r} has none of the declared shapes")


@dataclass(frozen=True)
class Field:
    """One field of a record: its names in Python and JSON, shape, default, help, and a short label.

    ``labels`` are those of its values; ``from_one`` says that people count its numbers from 1, not from 0.
    """

    attribute: str
    name: str
    shape: Shape
    default: Any
    help: str
    label: str = ""
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    from_one: bool = False

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING

    @property
    def usual(self) -> Json:
        """Return the default as JSON; None for a field that is required."""
        return None if self.required else self.shape.write(self.default)

    @property
    def title(self) -> str:
        """Return the label of the field, or its name in words ("first_dealer": "First dealer")."""
        plain = self.name.replace("_", " ").replace("-", " ")
        return self.label or plain[:1].upper() + plain[1:]

    def described(self, schema: JsonObject) -> JsonObject:
        """Return the schema of its shape with the help and the default."""
        described: dict[str, Json] = {"description": self.help} if self.help else {}
        return {**schema, **described, **({} if self.required else {"default": self.usual})}


@dataclass(frozen=True)
class Record(Shape):
    """An object with known fields and no others, read as a dataclass."""

    kind: ClassVar[Kind] = "record"
    cls: type
    fields: tuple[Field, ...]

    @property
    def parts(self) -> tuple[Shape, ...]:
        return tuple(field.shape for field in self.fields)

    def read(self, value: object, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise Malformed({path: [text("This must be an object.")]})
        unknown = (name for name in value if name not in self.names)
        errors: dict[str, list[str]] = {
            _join(path, in_print(name)): [text("This field is not known here.")]
            for name in islice(unknown, MOST_ERRORS + 1)
        }
        read = {}
        for field in self.fields:
            try:
                read[field.attribute] = self._read_field(field, value, path)
            except Malformed as refusal:
                errors |= refusal.errors
        if errors:
            raise Malformed(first_errors(errors, path))
        return self.cls(**read)

    @cached_property
    def names(self) -> Collection[str]:
        """Return the names of its fields in JSON."""
        return {field.name for field in self.fields}

    def _read_field(self, field: Field, value: Mapping[Any, object], path: str) -> Any:
        if field.name in value:
            return field.shape.read(value[field.name], _join(path, field.name))
        if field.required:
            raise Malformed({_join(path, field.name): [text("This field is required.")]})
        return field.default

    def write(self, value: Any) -> JsonObject:
        parts, written = vars(value), {}
        for attribute, name, default, write in self._writing:
            part = parts[attribute]
            if part is not default and part != default:
                written[name] = write(part)
        return written

    @cached_property
    def _writing(self) -> Sequence[tuple[str, str, Any, Callable[[Any], Json]]]:
        """Return what `write` needs of each field, of which no part equals a default that is missing."""
        return [(field.attribute, field.name, field.default, field.shape.write) for field in self.fields]


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


# ---- As JSON Schema ------------------------------------------------------------------------------


def _text_schema(shape: Text, _: Sequence[JsonObject]) -> JsonObject:
    if shape.matching:
        other = f"|{shape.matching.other}" if shape.matching.other else ""
        return {"type": "string", "pattern": f"^(?:{shape.matching.pattern}{other})$"}
    return {"type": "string", "minLength": shape.low, "maxLength": shape.high}


def _list_schema(shape: ListOf, parts: Sequence[JsonObject]) -> JsonObject:
    return {"type": "array", "items": parts[0], "minItems": shape.low, "maxItems": shape.high}


def _record_schema(shape: Record, parts: Sequence[JsonObject]) -> JsonObject:
    described = zip(shape.fields, parts, strict=True)
    return {
        "type": "object",
        "properties": {field.name: field.described(part) for field, part in described},
        "required": [field.name for field in shape.fields if field.required],
        "additionalProperties": False,
    }


SCHEMAS: Final[Builders[JsonObject]] = {
    "flag": lambda _shape, _: {"type": "boolean"},
    "number": lambda shape, _: {"type": "integer", "minimum": shape.low, "maximum": shape.high},
    "text": _text_schema,
    "choice": lambda shape, _: {"enum": list(shape.values)},
    "list": _list_schema,
    "rows": _list_schema,
    "record": _record_schema,
    "object": lambda _shape, _: {"type": "object"},
    "either": lambda _, parts: {"anyOf": parts},
}
