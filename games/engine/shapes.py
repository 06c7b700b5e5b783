"""Moves and options declared once, as frozen dataclasses, and read, written and published from there.

A field's type says its shape: ``bool``, ``Literal``, ``str`` with `Length` or `Matching`, ``int`` with
`Between`, ``tuple[X, ...]`` with `Length`, ``Mapping[str, Any]`` for an object that is declared elsewhere,
another dataclass, ``X | None`` or a union of these. A default makes it optional.

    @dataclass(frozen=True)
    class Discard:
        card: Annotated[Card, Matching(CARD, "a card such as 9C")]
        knock: bool = False
"""

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeVar, Union

from games.engine.jsontypes import JsonObject
from games.engine.kinds import (
    AnyObject,
    AnyOf,
    Field,
    Flag,
    ListOf,
    Matching,
    OneOf,
    Record,
    Shape,
    Text,
    Whole,
)

__all__ = ["Between", "Help", "Length", "Matching", "Named", "filled", "read", "record", "schema", "write"]

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
    """A sentence for the person who fills the field in."""

    text: str


@dataclass(frozen=True)
class Named:
    """The field's name in JSON, where Python cannot use it (``from``)."""

    name: str


_RECORDS: Final[dict[type, Record]] = {}


def record(cls: type) -> Record:
    """Return the shape of a frozen dataclass, read off its annotations once.

    Raises TypeError where an annotation leaves the shape open: declarations are code, so that is a bug.
    """
    if cls not in _RECORDS:
        hints = typing.get_type_hints(cls, include_extras=True)
        fields = tuple(_declared(field, hints[field.name]) for field in dataclasses.fields(cls))
        _RECORDS[cls] = Record(cls, fields)
    return _RECORDS[cls]


def _declared(field: "dataclasses.Field[Any]", hint: Any) -> Field:
    notes = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    named, helped = _first(notes, Named), _first(notes, Help)
    name = named.name if named else field.name
    return Field(field.name, name, _shape_of(hint), field.default, helped.text if helped else "")


def _first(notes: Sequence[object], kind: type[T]) -> T | None:
    return next((note for note in notes if isinstance(note, kind)), None)


def _shape_of(hint: Any) -> Shape:
    if typing.get_origin(hint) is Annotated:
        bare, *notes = typing.get_args(hint)
        return _shape_with(bare, notes)
    return _shape_with(hint, [])


def _shape_with(hint: Any, notes: Sequence[object]) -> Shape:
    hint = getattr(hint, "__supertype__", hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    between, length, matching = _first(notes, Between), _first(notes, Length), _first(notes, Matching)
    if hint is bool:
        return Flag()
    if hint is int and between:
        return Whole(between.low, between.high)
    if hint is str and matching:
        return Text(0, 0, matching)
    if hint is str and length:
        return Text(length.low, length.high)
    if hint is types.NoneType:
        return OneOf((None,))
    if origin is Literal:
        return OneOf(arguments)
    if origin in (Union, types.UnionType, tuple, Mapping):
        return _shape_around(origin, arguments, length)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return record(hint)
    raise TypeError(f"{hint!r} with {list(notes)!r} does not say what shape a value has")


def _shape_around(origin: Any, arguments: tuple[Any, ...], length: Length | None) -> Shape:
    if origin is Mapping:
        return AnyObject()
    if origin is not tuple:
        return AnyOf(tuple(_shape_of(argument) for argument in arguments))
    if arguments[1:] == (...,) and length:
        return ListOf(_shape_of(arguments[0]), length.low, length.high)
    raise TypeError(f"a tuple of {arguments!r} does not say how long it is")


def read(cls: type[T], value: object) -> T:
    """Return ``value`` (parsed JSON) as a ``cls``; raise `Malformed` naming every field that is wrong."""
    made: T = record(cls).read(value, "")
    return made


def write(value: object) -> JsonObject:
    """Return the JSON of a declared dataclass; fields that hold their default are left out."""
    return record(type(value)).write(value)


def schema(cls: type) -> JsonObject:
    """Return the JSON Schema (2020-12) of a declared dataclass, with help texts and defaults."""
    return record(cls).schema()


def filled(value: object) -> JsonObject:
    """Return the JSON of a declared dataclass with every field, defaults included."""
    return {
        field.name: field.shape.write(getattr(value, field.attribute)) for field in record(type(value)).fields
    }
