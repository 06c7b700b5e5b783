"""The values of options that the kit plays, alone and in pairs; the number of seats is one of the options."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from games.conformance.kit import Line
from games.engine import shapes
from games.engine.jsontypes import Json
from games.engine.kinds import Field, Flag, OneOf, Shape, Whole
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset

Row: TypeAlias = Mapping[str, str]
"""Options by name, their values as JSON text."""
Listed: TypeAlias = Mapping[str, Sequence[str]]
"""Values of options by name, as JSON text."""
Pair: TypeAlias = tuple[tuple[str, str], tuple[str, str]]

MOST_OTHERS: Final = 2
"""How many other options are changed at most to let two values meet in a game."""


def options_of(line: Line) -> Mapping[str, Any]:
    """Return all options of a line, those at their default too; ``seats`` is one of them here."""
    opening, answer = line.exchanges[0].request, line.exchanges[0].answer
    return {**answer["options"], "seats": opening["seats"]}


def wanted(ruleset: AnyRuleset) -> Iterator[tuple[str, Json]]:
    """Yield every value of every option that lines must play, and every number of seats."""
    for name, values in factors(ruleset).items():
        yield from ((name, value) for value in values)


def factors(ruleset: AnyRuleset) -> Mapping[str, Sequence[Json]]:
    """Return the values to play of each option, and of the number of seats."""
    fields = shapes.record(ruleset.options).fields
    return {"seats": ruleset.seats, **{field.name: values_of(field) for field in fields}}


def values_of(field: Field) -> list[Json]:
    """Return the values to play of an option: all where there are few, of whole numbers the bounds, the
    default and one between. Of a list only the default is fixed."""
    found = [*_values(field.shape.bare, field.usual)]
    if field.shape.bare is not field.shape:
        found = [None, *found]
    return _each_once([field.usual, *found])


def _values(shape: Shape, usual: Json) -> Iterator[Json]:
    match shape:
        case Flag():
            yield from (False, True)
        case OneOf():
            yield from shape.values
        case Whole():
            yield from (shape.low, between(shape, usual), shape.high)


def between(shape: Whole, usual: Json) -> int:
    """Return a number strictly between the bounds that is not the default, where there is one."""
    known = {shape.low, shape.high, usual}
    middle = (shape.low + shape.high) // 2
    return next((each for each in (middle, middle + 1) if each not in known), middle)


def _each_once(values: Collection[Json]) -> list[Json]:
    return [json.loads(text) for text in dict.fromkeys(json.dumps(value) for value in values)]


# ---- Pairs ----


def as_text(options: Mapping[str, Json]) -> Row:
    """Return options with their values as JSON text."""
    return {name: json.dumps(value) for name, value in options.items()}


def listed(ruleset: AnyRuleset) -> Listed:
    """Return the values to play of each option as JSON text."""
    return {name: [json.dumps(value) for value in found] for name, found in factors(ruleset).items()}


def fits(ruleset: AnyRuleset, row: Row) -> bool:
    """Return whether a game opens with these options, the others at their default."""
    options = {name: json.loads(value) for name, value in row.items()}
    seats = options.pop("seats", ruleset.seats[0])
    try:
        ruleset.read_options(options, seats)
    except Malformed:
        return False
    return True


def never_together(ruleset: AnyRuleset, rows: Sequence[Row], values: Listed) -> Iterator[Pair]:
    """Yield every two values of two options that meet in no row and could."""
    together = met(rows)
    for pair in all_pairs(values):
        if pair not in together and can_meet(ruleset, pair, values):
            yield pair


def met(rows: Sequence[Row]) -> Set[Pair]:
    """Return every two values of a row."""
    return {pair for row in rows for pair in combinations(sorted(row.items()), 2)}


def all_pairs(values: Listed) -> Iterator[Pair]:
    """Yield every two values of two options, the options in alphabetical order."""
    for (one, ones), (other, others) in combinations(sorted(values.items()), 2):
        yield from product(((one, value) for value in ones), ((other, value) for value in others))


def can_meet(ruleset: AnyRuleset, pair: Pair, values: Listed) -> bool:
    """Return whether a game has both values, some of the other options at another value than the default."""
    free = [name for name in values if name not in dict(pair)]
    return any(
        fits(ruleset, {**dict(pair), **dict(zip(names, chosen, strict=True))})
        for number in range(MOST_OTHERS + 1)
        for names in combinations(free, number)
        for chosen in product(*(values[name] for name in names))
    )
