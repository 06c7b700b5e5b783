"""Which rule numbers and which values of options the lines of the kit show."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from games import rules
from games.conformance.kit import Line
from games.engine import shapes
from games.engine.jsontypes import Json
from games.engine.kinds import Field, Flag, OneOf, Shape, Whole
from games.engine.replay import AnyRuleset

NOT_IN_A_LINE: Final[Mapping[str, Mapping[str, str]]] = {}
"""The rules that no line can show, by the key of the ruleset: number and reason."""


def report(lines: Sequence[Line], game: str | None = None) -> tuple[list[str], bool]:
    """Return sentences on what the lines show of each game, and whether they show all of it."""
    said, complete = [], True
    for ruleset in rules.RULESETS:
        if game in (None, ruleset.key):
            own = [line for line in lines if line.ruleset == ruleset.name]
            missing = [
                *missing_rules(ruleset, own),
                *unseen_rules(ruleset, own),
                *missing_values(ruleset, own),
            ]
            said += [_summary(ruleset, own), *_exceptions(ruleset), *missing]
            complete = complete and not missing
    return said, complete


def _summary(ruleset: AnyRuleset, lines: Sequence[Line]) -> str:
    numbers, values = rules_to_show(ruleset), [*wanted(ruleset)]
    shown = len(numbers) - len([*missing_rules(ruleset, lines)])
    played = len(values) - len([*missing_values(ruleset, lines)])
    return (
        f"{ruleset.name}: {len(lines)} lines show {shown} of {len(numbers)} rules "
        f"and {played} of {len(values)} values of options, "
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
            yield f"  no line for {number} of {ruleset.name} has the views of all seats and a spectator"


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
    played = [options_of(line) for line in lines]
    for name, value in wanted(ruleset):
        if not any(_same(options[name], value) for options in played):
            yield f"  no line of {ruleset.name} plays {name} as {json.dumps(value)}"


def options_of(line: Line) -> Mapping[str, Any]:
    """Return all options of a line, those at their default too; ``seats`` is one of them here."""
    opening, answer = line.exchanges[0].request, line.exchanges[0].answer
    return {**answer["options"], "seats": opening["seats"]}


def _same(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


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
