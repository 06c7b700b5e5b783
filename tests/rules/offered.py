"""Choices in lines of text, for tests of what exactly is offered.

``discard card=9C|TD melds?…=`` offers two cards, and an optional field that may hold more than is listed.
"""

from collections.abc import Iterable
from typing import Any

from games.engine.choosing import Choice, FieldChoice


def lines(choices: Iterable[Choice]) -> list[str]:
    """Return a line for each choice: its type, and the values of each field."""
    return [
        " ".join((choice.type, *(_field(name, field) for name, field in choice.fields.items())))
        for choice in choices
    ]


def _field(name: str, field: FieldChoice) -> str:
    marks = ("?" if field.optional else "") + ("" if field.complete else "…")
    return f"{name}{marks}={'|'.join(map(_value, field.values))}"


def _value(value: Any) -> str:
    match value:
        case {"kind": kind, "cards": cards}:
            return f"{kind}:{_value(cards)}"
        case {"seat": seat, "index": index}:
            return f"{seat}.{index}"
        case {"deck": depth}:
            return f"deck.{depth}"
        case list() | tuple():
            return ",".join(map(_value, value))
    return str(value)


def about(choices: Iterable[Choice]) -> dict[str, str]:
    """Return what is said of the fields that have words: by type and name, such as ``draw.from``."""
    return {
        f"{choice.type}.{name}": field.about
        for choice in choices
        for name, field in choice.fields.items()
        if field.about
    }
