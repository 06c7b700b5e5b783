"""Which rule numbers, which values of options and which pairs of values the lines of the kit show.

The number of seats is one of the options.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from games import rules
from games.conformance.kit import Line
from games.engine import shapes
from games.engine.jsontypes import Json
from games.engine.kinds import Field, Flag, OneOf, Shape, Whole
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset

# ---- Pairs of options ----------------------------------------------------------------------------

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


# ---- Coverage ------------------------------------------------------------------------------------

NOT_IN_A_LINE: Final[Mapping[str, Mapping[str, str]]] = {}
"""The rules that no line can show, by the key of the ruleset: number and reason."""


def report(lines: Sequence[Line], game: str | None = None) -> tuple[list[str], bool]:
    """Return sentences on what the lines show of each game, and whether they show all of it."""
    said, complete = [], True
    for ruleset in rules.RULESETS:
        if game in (None, ruleset.key):
            own = [line for line in lines if line.ruleset == ruleset.name]
            numbers, values = [*missing_rules(ruleset, own)], [*missing_values(ruleset, own)]
            pairs, unseen = missing_pairs(ruleset, own), [*unseen_rules(ruleset, own)]
            summary = _summary(ruleset, own, len(numbers), len(values), len(pairs))
            missing = [*numbers, *unseen, *values, *(_apart(ruleset, pair) for pair in pairs)]
            said += [summary, *_exceptions(ruleset), *missing]
            complete = complete and not missing
    return said, complete


def _summary(ruleset: AnyRuleset, lines: Sequence[Line], numbers: int, values: int, pairs: int) -> str:
    """Return how much the lines show, with the numbers of what they lack."""
    all_numbers, all_values = len(rules_to_show(ruleset)), len([*wanted(ruleset)])
    both = len({*all_pairs(listed(ruleset))} & met(_rows(lines)))
    return (
        f"{ruleset.name}: {len(lines)} lines show {all_numbers - numbers} of {all_numbers} rules, "
        f"{all_values - values} of {all_values} values of options and {both} of {both + pairs} pairs, "
        f"with {_answers(lines, 'rule')} refusals and {_answers(lines, 'view')} views"
    )


def _answers(lines: Sequence[Line], field: str) -> int:
    return sum(field in exchange.answer for line in lines for exchange in line.exchanges)


def _exceptions(ruleset: AnyRuleset) -> Iterator[str]:
    for number, reason in NOT_IN_A_LINE.get(ruleset.key, {}).items():
        yield f"  {number} is in no line: {reason}"


def rules_to_show(ruleset: AnyRuleset) -> list[str]:
    """Return the numbers of the rules that lines must show."""
    return [each for each in ruleset.rule_numbers if each not in NOT_IN_A_LINE.get(ruleset.key, {})]


def missing_rules(ruleset: AnyRuleset, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a sentence for each rule that no line shows."""
    shown = {number for line in lines for number in line.shows}
    for number in rules_to_show(ruleset):
        if number not in shown:
            yield f"  {number} of {ruleset.name} is shown by no line"


def unseen_rules(ruleset: AnyRuleset, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a sentence for each rule that is shown in no line with the views of everybody at one entry."""
    seen = {number for line in lines if seen_by_all(line) for number in line.shows}
    shown = {number for line in lines for number in line.shows}
    for number in rules_to_show(ruleset):
        if number in shown - seen:
            yield f"  no line that shows {number} of {ruleset.name} has everybody's view of one entry"


def seen_by_all(line: Line) -> bool:
    """Return whether the spectator and every seat are shown their views of the same entry."""
    everybody = {None, *range(line.exchanges[0].request["seats"])}
    viewers: set[int | None] = set()
    for exchange in line.exchanges:
        if exchange.request["do"] == "view":
            viewers.add(exchange.request["viewer"])
        elif exchange.request["do"] == "move" and exchange.answer["ok"]:
            viewers.clear()
        if viewers == everybody:
            return True
    return False


def missing_values(ruleset: AnyRuleset, lines: Sequence[Line]) -> Iterator[str]:
    """Yield a sentence for each value of an option that no line plays."""
    played = {each for row in _rows(lines) for each in row.items()}
    for name, value in wanted(ruleset):
        if (name, json.dumps(value)) not in played:
            yield f"  no line of {ruleset.name} plays {name} as {json.dumps(value)}"


def missing_pairs(ruleset: AnyRuleset, lines: Sequence[Line]) -> Sequence[Pair]:
    """Return every two values of two options that meet in no line and could."""
    return [*never_together(ruleset, _rows(lines), listed(ruleset))]


def _apart(ruleset: AnyRuleset, pair: Pair) -> str:
    (one, value), (other, another) = pair
    return f"  no line of {ruleset.name} has {one} {value} and {other} {another}"


def _rows(lines: Sequence[Line]) -> Sequence[Mapping[str, str]]:
    return [as_text(options_of(line)) for line in lines]
