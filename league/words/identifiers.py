"""The identifiers that pages show as words: names of events, moves, fields and values, as declared."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from games import rules
from games.engine import shapes
from games.engine.common_moves import COMMON
from games.engine.kinds import Builders, OneOf, Record, Shape
from games.engine.replay import AnyRuleset
from league.core import formats
from league.core.verbs import EVENTS, ORGANISER_VERBS, PLAYER_VERBS

_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*")


TITLES: Final = {
    "float": "float cards",
    "too_many_wilds": "too many wild cards",
    "undeclared": "Scamper not declared",
}
"""Identifiers that say too little by themselves, in the words of the printed sheets: Float is also a goal."""


def in_words(identifier: str) -> str:
    """Return an identifier as English text: "close_round" as "Close round"."""
    plain = TITLES.get(identifier) or identifier.replace("_", " ").replace("-", " ")
    return plain[:1].upper() + plain[1:]


def identifiers() -> list[str]:
    """Return every identifier that a page may show, sorted."""
    found = {*EVENTS, *formats.BY_KEY, *_declared()}
    return sorted(each for each in found if _IDENTIFIER.fullmatch(each))


def _declared() -> Iterator[str]:
    for verb in {*ORGANISER_VERBS.values(), *PLAYER_VERBS.values()}:
        yield from _of(verb)
    for each in formats.BY_KEY.values():
        yield from _of(each.params)
    for kind, move in COMMON.items():
        yield from (kind, *_of(move))
    for ruleset in rules.RULESETS:
        yield from _of_ruleset(ruleset)


def _of_ruleset(ruleset: AnyRuleset) -> Iterator[str]:
    yield from ruleset.presets
    yield from _of(ruleset.options)
    for kind, move in ruleset.moves.items():
        yield from (kind, *_of(move))
    yield from shapes.record(ruleset.view_shape).fold(VALUES)


def _of(declared: type) -> Iterator[str]:
    """Yield the names of a record's fields, and the values that they can have."""
    record = shapes.record(declared)
    yield from record.fold(NAMES)
    yield from record.fold(VALUES)


def _inside(_shape: Shape, parts: Sequence[Sequence[str]]) -> list[str]:
    return [name for part in parts for name in part]


def _of_record(shape: Record, parts: Sequence[Sequence[str]]) -> list[str]:
    return [*(field.name for field in shape.fields if not field.label), *_inside(shape, parts)]


def _of_choice(shape: OneOf, _: Sequence[Sequence[str]]) -> list[str]:
    return [value for value in shape.values if isinstance(value, str)]


_KINDS: Final[Builders[Sequence[str]]] = dict.fromkeys(
    ("flag", "number", "text", "choice", "list", "rows", "record", "object", "either"), _inside
)
NAMES: Final[Builders[Sequence[str]]] = {**_KINDS, "record": _of_record}
VALUES: Final[Builders[Sequence[str]]] = {**_KINDS, "choice": _of_choice}
