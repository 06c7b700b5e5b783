"""Translatable sentences: strings in English that keep their message id and parameters.

A `Message` is a str, so the API, files and tests can use it as one. A page in another language translates
its ``id`` and fills in ``params``. Every id is a literal in a call of `text` or `plural`, where gettext's
tools find it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Self, TypeAlias

from games.engine.jsontypes import Json, JsonObject

Param: TypeAlias = str | int
"""A parameter of a message: a name, code or number, or another `Message`."""


class Message(str):
    """A sentence in English, or a part of one.

    ``id`` is the wording with ``%(name)s`` for each of ``params``; ``plural`` is the wording for a
    ``quantity`` other than one, ``""`` if the sentence has no plural. Without params, ``%`` is literal.
    """

    __slots__ = ("id", "params", "plural", "quantity")

    id: str
    plural: str
    quantity: int
    params: Mapping[str, Param]

    def __new__(cls, one: str, params: Mapping[str, Param], many: str = "", quantity: int = 1) -> Self:
        made = super().__new__(cls, filled(many if many and quantity != 1 else one, params))
        made.id, made.plural, made.quantity, made.params = one, many, quantity, params
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.id, self.params, self.plural, self.quantity


class Seat(Message):
    """A seat in a sentence, ``seat 3``; a page that knows the player may show the name instead."""

    __slots__ = ()

    @property
    def number(self) -> int:
        """Return the seat, counted from 0."""
        return int(self.params["number"])


class Alternatives(Message):
    """Two sentences of which either says what is allowed."""

    __slots__ = ()

    @property
    def told(self) -> str:
        """Return what to tell a person: nobody types null into a form, so null is left out."""
        kept = [each for each in self.params.values() if isinstance(each, str) and each != NULL]
        return kept[0] if len(kept) == 1 else self


_TWO_DOTS: Final = re.compile(r"(?<!\.)\.(\u2069?(?:</\w+>)*)\.(?![.\w/])")


def filled(wording: str, params: Mapping[str, Any]) -> str:
    """Return a wording with its params filled in; without params it is returned unchanged.

    A name or a date that ends with a dot ("e. V.", "Nov.") ends a sentence with that one.
    """
    return one_dot(wording % params) if params else wording


def one_dot(text: str) -> str:
    """Return a text with one dot where it has two, between which only tags end."""
    return _TWO_DOTS.sub(r".\1", text)


def text(wording: str, /, **params: Param) -> Message:
    """Return a message: ``text("%(name)s does not take part.", name="Anna")``."""
    return Message(wording, params)


NULL: Final = text("This must be %(what)s.", what="null")
"""The refusal of a value where only null is allowed."""


def alternatives(one: str, other: str) -> Alternatives:
    """Return two sentences as one: ``This must be a whole number. Or: This must be auto.``"""
    return Alternatives("%(one)s Or: %(other)s", {"one": one, "other": other})


def plural(one: str, many: str, count: int, /, **params: Param) -> Message:
    """Return a message that counts: ``plural("%(count)s card", "%(count)s cards", 2)`` is ``2 cards``."""
    return Message(one, {"count": count, **params}, many, count)


def seat(number: int) -> Seat:
    """Return a seat within a sentence."""
    return Seat("seat %(number)s", {"number": number})


def seat_first(number: int) -> Seat:
    """Return a seat as the first word of a sentence."""
    return Seat("Seat %(number)s", {"number": number})


def all_of(parts: Sequence[str]) -> str:
    """Return ``a, b, c``; ``""`` for nothing."""
    return _joined(parts, lambda before, part: text("%(before)s, %(part)s", before=before, part=part))


def _joined(parts: Sequence[str], join: Callable[[str, str], Message]) -> str:
    joined, *more = parts or ("",)
    for part in more:
        joined = join(joined, part)
    return joined


def both(parts: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    *most, last = parts
    return text("%(before)s and %(part)s", before=all_of(most), part=last) if most else last


def either(parts: Sequence[str]) -> str:
    """Return ``a, b or c``."""
    *most, last = parts
    return text("%(before)s or %(part)s", before=all_of(most), part=last) if most else last


def as_json(message: str) -> JsonObject:
    """Return a message as JSON, which `from_json` turns into the same message."""
    if not isinstance(message, Message):
        return {"id": message}
    params = {name: _param_as_json(value) for name, value in message.params.items()}
    return {"id": message.id, "params": params, "plural": message.plural, "quantity": message.quantity}


def _param_as_json(value: Param) -> Json:
    return as_json(value) if isinstance(value, Message) else value


def from_json(data: Mapping[str, Any]) -> str:
    """Return the message that `as_json` wrote."""
    if "params" not in data:
        return str(data["id"])
    params = {
        name: from_json(value) if isinstance(value, Mapping) else value
        for name, value in data["params"].items()
    }
    return Message(data["id"], params, data["plural"], data["quantity"])
