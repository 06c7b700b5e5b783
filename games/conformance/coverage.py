"""Which rule numbers, which values of options and which pairs of values the lines of the kit show."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games import rules
from games.conformance import options
from games.conformance.kit import Line
from games.conformance.options import Pair
from games.engine.replay import AnyRuleset

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
    all_numbers, all_values = len(rules_to_show(ruleset)), len([*options.wanted(ruleset)])
    met = len({*options.all_pairs(options.listed(ruleset))} & options.met(_rows(lines)))
    return (
        f"{ruleset.name}: {len(lines)} lines show {all_numbers - numbers} of {all_numbers} rules, "
        f"{all_values - values} of {all_values} values of options and {met} of {met + pairs} pairs, "
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
    for name, value in options.wanted(ruleset):
        if (name, json.dumps(value)) not in played:
            yield f"  no line of {ruleset.name} plays {name} as {json.dumps(value)}"


def missing_pairs(ruleset: AnyRuleset, lines: Sequence[Line]) -> Sequence[Pair]:
    """Return every two values of two options that meet in no line and could."""
    return [*options.never_together(ruleset, _rows(lines), options.listed(ruleset))]


def _apart(ruleset: AnyRuleset, pair: Pair) -> str:
    (one, value), (other, another) = pair
    return f"  no line of {ruleset.name} has {one} {value} and {other} {another}"


def _rows(lines: Sequence[Line]) -> Sequence[Mapping[str, str]]:
    return [options.as_text(options.options_of(line)) for line in lines]
