"""A compiled reader for each declared dataclass: it reads what is right and leaves the rest to `Shape.read`.

`Shape.read` says what is wrong and where. A reader knows neither path nor sentence, so that it is several
times as fast, above all where one of several shapes fits.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING
from typing import Any, Final, TypeAlias

from games.engine.kinds import AnyOf, Builders, ListOf, OneOf, Record, Shape, Text, Whole
from games.engine.names import hides_something, unprintable
from games.engine.refusals import Malformed
from games.engine.values import maker

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
