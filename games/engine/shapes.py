"""Moves and options are declared as frozen dataclasses; this module reads, writes and describes them.

The type of a field gives its shape: ``bool``, ``Literal``, ``str`` with `Length` or `Matching`, ``int`` with
`Between`, ``tuple[X, ...]`` with `Length`, ``Mapping[str, Any]`` for an object that is declared elsewhere,
another dataclass, ``X | None`` or a union of these. A field with a default is optional. `Label` and `Help`
are for forms, `Reference` says what an id refers to, `OfRuleset` that the game's ruleset declares an object,
`Described` which schema describes it. Of two annotations of a kind the outer one counts.

    @dataclass(frozen=True)
    class Discard:
        card: Annotated[Card, Matching(CARD, "a card such as 9C")]
        knock: bool = False
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union

from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import (
    AnyObject,
    AnyOf,
    Builders,
    Field,
    Flag,
    ListOf,
    OneOf,
    Record,
    Rows,
    Shape,
    Text,
    Whole,
)
from games.engine.kinds import Described as Described
from games.engine.kinds import Matching as Matching
from games.engine.kinds import OfRuleset as OfRuleset
from games.engine.kinds import Reference as Reference
from games.engine.names import hides_something, unprintable
from games.engine.refusals import Malformed
from games.engine.values import maker

# ---- Readers: compiled for each dataclass, for what is right -------------------------------------

Reader: TypeAlias = Callable[[Any], Any]


class Unread(Exception):
    """A value that `Shape.read` must judge."""


def reader(shape: Shape) -> Reader:
    """Return a function that returns what `Shape.read` returns for parsed JSON, or raises `Unread`."""
    return shape.fold(READERS)


def _flag(_shape: Shape, _: Sequence[Reader]) -> Reader:
    def read(value: Any) -> bool:
        if value is True or value is False:
            return bool(value)
        raise Unread

    return read


def _number(shape: Whole, _: Sequence[Reader]) -> Reader:
    low, high = shape.low, shape.high

    def read(value: Any) -> int:
        if type(value) is int and low <= value <= high:
            return value
        raise Unread

    return read


def _text(shape: Text, _: Sequence[Reader]) -> Reader:
    low, high, is_name = shape.low, shape.high, shape.is_name

    def read(value: Any) -> str:
        good = type(value) is str and low <= len(value) <= high and not unprintable(value)
        if good and not (is_name and hides_something(value)):
            return str(value)
        raise Unread

    return _matching(shape.matching.fullmatch) if shape.matching else read


def _matching(fullmatch: Callable[[str], object]) -> Reader:
    def read(value: Any) -> str:
        if type(value) is str and fullmatch(value):
            return value
        raise Unread

    return read


def _choice(shape: OneOf, _: Sequence[Reader]) -> Reader:
    values = {(type(value), value): value for value in shape.values}

    def read(value: Any) -> Any:
        try:
            return values[type(value), value]
        except (KeyError, TypeError):
            raise Unread from None

    return read


def _list(shape: ListOf, parts: Sequence[Reader]) -> Reader:
    low, high, (item,) = shape.low, shape.high, parts

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is list and low <= len(value) <= high:
            return tuple(map(item, value))
        raise Unread

    return read


def _record(shape: Record, parts: Sequence[Reader]) -> Reader:
    make: Callable[[dict[str, Any]], Any] = maker(shape.cls)
    declared = [(f.attribute, f.name, f.default, read) for f, read in zip(shape.fields, parts, strict=True)]

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise Unread
        fields, left = {}, len(value)
        for attribute, name, default, read_part in declared:
            if name in value:
                fields[attribute] = read_part(value[name])
                left -= 1
            elif default is MISSING:
                raise Unread
            else:
                fields[attribute] = default
        if left:
            raise Unread
        return make(fields)

    return read


def _object(shape: Shape, _: Sequence[Reader]) -> Reader:
    def read(value: Any) -> Any:
        try:
            return shape.read(value, "")
        except Malformed:
            raise Unread from None

    return read


def _either(_shape: AnyOf, parts: Sequence[Reader]) -> Reader:
    def read(value: Any) -> Any:
        for read_as in parts:
            try:
                return read_as(value)
            except Unread:
                continue
        raise Unread

    return read


READERS: Final[Builders[Reader]] = {
    "flag": _flag,
    "number": _number,
    "text": _text,
    "choice": _choice,
    "list": _list,
    "rows": _list,
    "record": _record,
    "object": _object,
    "either": _either,
}


# ---- Shapes --------------------------------------------------------------------------------------

T = TypeVar("T")


@dataclass(frozen=True)
class Between:
    """Lowest and highest value of an integer."""

    low: int
    high: int


@dataclass(frozen=True)
class Length:
    """Fewest and most items of a list, or characters of a text."""

    low: int
    high: int


@dataclass(frozen=True)
class Help:
    """A help text for the field in forms."""

    text: str


@dataclass(frozen=True)
class Label:
    """The label of the field in forms; without one its name is used.

    ``values`` are labels of its values, in pairs. If ``from_one``, its numbers count from 0, as seats do, and
    people count them from 1.
    """

    text: str = ""
    values: tuple[tuple[str, str], ...] = ()
    from_one: bool = False


@dataclass(frozen=True)
class IsName:
    """The text is a name (`games.engine.names`)."""


@dataclass(frozen=True)
class Named:
    """The name of the field in JSON, if it is a keyword of Python (``from``)."""

    name: str


class Shapeless(Exception):
    """What an annotation lacks for its field to have a shape."""


_BESIDE: Final[Mapping[Any, str]] = {
    int: "an int needs Between(low, high)",
    str: "a str needs Length(low, high) or Matching(…)",
    tuple: "a tuple is Annotated[tuple[…, ...], Length(low, high)], also within “| None”",
}
"""What an annotation needs beside these types."""

_RECORDS: Final[dict[type, Record]] = {}


def record(cls: type) -> Record:
    """Return the shape of a frozen dataclass, from its annotations.

    Raises TypeError for an annotation without a shape, which names the field and what it lacks.
    """
    if cls not in _RECORDS:
        hints = typing.get_type_hints(cls, include_extras=True)
        fields = []
        for field in dataclasses.fields(cls):
            try:
                fields.append(_declared(field, hints[field.name]))
            except Shapeless as reason:
                raise TypeError(f"{cls.__module__}.{cls.__qualname__}.{field.name}: {reason}") from None
        _RECORDS[cls] = Record(cls, tuple(fields))
    return _RECORDS[cls]


def _declared(field: "dataclasses.Field[Any]", hint: Any) -> Field:
    notes = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    named, helped, label = _outermost(notes, Named), _outermost(notes, Help), _outermost(notes, Label)
    return Field(
        attribute=field.name,
        name=named.name if named else field.name,
        shape=_shape_of(hint),
        default=field.default,
        help=helped.text if helped else "",
        label=label.text if label else "",
        labels=dict(label.values) if label else {},
        from_one=label is not None and label.from_one,
    )


def _outermost(notes: Sequence[object], kind: type[T]) -> T | None:
    return next((note for note in reversed(notes) if isinstance(note, kind)), None)


def without(whole: Record, names: Collection[str], called: str = "") -> Record:
    """Return the record of a new dataclass without the fields of these JSON names.

    ``vars`` of an instance, with the missing fields, are the arguments of the whole dataclass. ``called`` is
    the name of the new one, by default that of the whole. Raises TypeError for unknown names.
    """
    if unknown := {*names} - {field.name for field in whole.fields}:
        raise TypeError(f"{whole.cls.__name__} has no fields {sorted(unknown)}")
    kept = tuple(field for field in whole.fields if field.name not in names)
    attributes = [(field.attribute, Any, dataclasses.field(default=field.default)) for field in kept]
    cls = dataclasses.make_dataclass(called or whole.cls.__name__, attributes, frozen=True, kw_only=True)
    cls.__doc__ = whole.cls.__doc__
    _RECORDS[cls] = Record(cls, kept)
    return _RECORDS[cls]


def joined(first: Record, second: Record) -> Record:
    """Return the record with the fields of both, for its schema; it reads nothing."""
    return Record(first.cls, (*first.fields, *second.fields))


def _shape_of(hint: Any) -> Shape:
    if typing.get_origin(hint) is Annotated:
        bare, *notes = typing.get_args(hint)
        return _shape_with(bare, notes)
    return _shape_with(hint, [])


def _shape_with(hint: Any, notes: Sequence[object]) -> Shape:
    hint = getattr(hint, "__supertype__", hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    between, length = _outermost(notes, Between), _outermost(notes, Length)
    matching = _outermost(notes, Matching)
    if hint is bool:
        return Flag()
    if hint is int and between:
        return Whole(between.low, between.high)
    if hint is str and matching:
        return Text(0, 0, matching, _outermost(notes, Reference))
    if hint is str and length:
        return Text(length.low, length.high, is_name=_outermost(notes, IsName) is not None)
    if hint is types.NoneType:
        return OneOf((None,))
    if origin is Literal:
        return OneOf(arguments)
    if origin is Mapping:
        return AnyObject(_outermost(notes, OfRuleset) or _outermost(notes, Described))
    if origin in (Union, types.UnionType, tuple):
        return _shape_around(origin, arguments, length)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return record(hint)
    raise Shapeless(_BESIDE.get(hint, f"no field can be {hint!r}: docs/adding-a-game.md lists the types"))


def _shape_around(origin: Any, arguments: tuple[Any, ...], length: Length | None) -> Shape:
    if origin is not tuple:
        return AnyOf(tuple(_shape_of(argument) for argument in arguments))
    if arguments[1:] == (...,) and length:
        item = _shape_of(arguments[0])
        return (Rows if isinstance(item, Record) else ListOf)(item, length.low, length.high)
    raise Shapeless(_BESIDE[tuple])


def read(cls: type[T], value: object) -> T:
    """Return parsed JSON as an instance of ``cls``; raise `Malformed` with an error for each wrong field."""
    try:
        made: T = _reader(cls)(value)
    except Unread:
        made = record(cls).read(value, "")
    return made


_READERS: Final[dict[type, Reader]] = {}


def _reader(cls: type) -> Reader:
    if cls not in _READERS:
        _READERS[cls] = reader(record(cls))
    return _READERS[cls]


def write(value: object) -> JsonObject:
    """Return the JSON of a declared dataclass without the fields at their default."""
    return record(type(value)).write(value)


def _text_example(shape: Text, _: Sequence[Json]) -> Json:
    return shape.matching.example if shape.matching else "text"[: shape.high].ljust(shape.low, ".")


def _list_example(shape: ListOf, parts: Sequence[Json]) -> Json:
    return [parts[0]] * max(shape.low, min(1, shape.high))


EXAMPLES: Final[Builders[Json]] = {
    "flag": lambda _shape, _: True,
    "number": lambda shape, _: max(shape.low, min(1, shape.high)),
    "text": _text_example,
    "choice": lambda shape, _: shape.values[0],
    "list": _list_example,
    "rows": _list_example,
    "record": lambda shape, parts: {
        field.name: part for field, part in zip(shape.fields, parts, strict=True) if field.required
    },
    "object": lambda shape, _: shape.declared.example if isinstance(shape.declared, Described) else {},
    "either": lambda _, parts: parts[0],
}
"""A value that each shape reads: of a record its required fields, of a list one item."""


def example(cls: type) -> JsonObject:
    """Return JSON that `read` takes for a declared dataclass, with the fields that are required."""
    made = record(cls).fold(EXAMPLES)
    assert isinstance(made, Mapping)
    return made


def schema(cls: type) -> JsonObject:
    """Return the JSON Schema (2020-12) of a declared dataclass, with help texts and defaults."""
    return record(cls).schema()


def filled(value: object) -> JsonObject:
    """Return the JSON of a declared dataclass with all fields."""
    return {
        field.name: field.shape.write(getattr(value, field.attribute)) for field in record(type(value)).fields
    }
