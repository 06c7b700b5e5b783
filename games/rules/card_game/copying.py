"""A copy of a game with other numbers: which its formula has, each in its sentence, and how they change.

Numbers are named by their paths in the definition's JSON, as refusals name what is wrong.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from games.engine import shapes
from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, text
from games.rules.card_game.definition import (
    MOST,
    Adds,
    Case,
    Condition,
    Decides,
    Definition,
    Gathers,
    Sum,
    Term,
)
from games.rules.card_game.formula import Range, ranges_of
from games.rules.card_game.telling import case_told, condition_told, step_told, sum_told

TOTAL: Final = "sum_of_deal"
"""The step of a copy whose deals must add up to something, where the game had none."""
_FLAG: Final = (0, 1)


@dataclass(frozen=True)
class Number:
    """A number of a formula: where it stands, its value, and ``telling`` its part of the sentence."""

    paths: tuple[str, ...]
    telling: Callable[[int], str]
    value: int

    @property
    def told(self) -> str:
        """Return the part of the sentence that has it."""
        return self.telling(self.value)


def numbers(game: Definition) -> list[tuple[Message, Sequence[Number]]]:
    """Return the sentences of a formula that have numbers, each with them.

    What only says yes or no has none: a value that is 0 or 1 is compared, not counted.
    """
    return [(sentence, its) for sentence, its in _every_line(game) if its]


def retold(game: Definition, changed_to: Definition) -> list[Message]:
    """Return the sentences of `numbers` as they are in a copy with other numbers."""
    lines = zip(_every_line(game), _every_line(changed_to), strict=False)
    return [sentence for (_before, its), (sentence, _its) in lines if its]


def _every_line(game: Definition) -> list[tuple[Message, Sequence[Number]]]:
    ranges = ranges_of(game)
    lines = (line for at, step in enumerate(game.steps) for line in _lines(f"steps.{at}", step, ranges))
    return [(sentence, [*its]) for sentence, its in lines]


def _lines(path: str, step: Any, ranges: Mapping[str, Range]) -> Iterator[tuple[Message, Iterable[Number]]]:
    counts = not _is_flag(ranges[step.name])
    if isinstance(step, Adds):
        yield step_told(step), [*_of_sum(f"{path}.sum", step.sum)]
    if isinstance(step, Decides):
        for at, case in enumerate(step.cases):
            sentence = text("%(name)s = %(cases)s", name=step.name, cases=case_told(case))
            yield sentence, [*_of_case(f"{path}.cases.{at}", case, ranges, counts=counts)]


def _is_flag(bounds: Range) -> bool:
    return _FLAG[0] <= bounds[0] and bounds[1] <= _FLAG[1]


def _of_case(path: str, case: Case, ranges: Mapping[str, Range], *, counts: bool) -> Iterator[Number]:
    if counts:
        yield from _of_sum(f"{path}.then", case.then or (Term(0),))
    for at, condition in enumerate(case.when):
        if not _is_flag(ranges[condition.of]):
            yield from _of_condition(f"{path}.when.{at}", condition)


def _of_sum(path: str, terms: Sum) -> Iterator[Number]:
    for at, term in enumerate(terms):
        if term.of is None or abs(term.times) != 1:
            yield Number((f"{path}.{at}.times",), partial(_term_told, term.of), term.times)


def _term_told(of: str | None, times: int) -> str:
    return sum_told((Term(times, of),))


def _bound_told(of: str, names: Sequence[str], number: int) -> str:
    return condition_told(Condition(of, **dict.fromkeys(names, number)))


def _of_condition(path: str, condition: Condition) -> Iterator[Number]:
    low, high = condition.least, condition.most
    if low == high:
        both = ("least", "most")
        yield Number(tuple(f"{path}.{name}" for name in both), partial(_bound_told, condition.of, both), low)
        return
    for name, bound, open_end in (("least", low, -MOST), ("most", high, MOST)):
        if bound != open_end:
            yield Number((f"{path}.{name}",), partial(_bound_told, condition.of, (name,)), bound)


# ---- Changed -------------------------------------------------------------------------------------


def changed(game: Definition, values: Mapping[str, Json]) -> JsonObject:
    """Return the JSON of a game with other values at these paths; a number that is 0 drops out of its sum."""
    whole: Any = json.loads(json.dumps(shapes.filled(game)))
    whole["fields"] = [shapes.filled(each) for each in game.fields]
    for path, value in values.items():
        *way, last = path.split(".")
        at = whole
        for part in way:
            at = _part(at, part)
        at[int(last) if isinstance(at, list) else last] = value
    for step in whole["steps"]:
        for holder, name in ((step, "sum"), *((case, "then") for case in step.get("cases", ()))):
            holder.update({name: [term for term in holder[name] if term["times"]]} if name in holder else {})
    made: JsonObject = whole
    return made


def _part(at: Any, part: str) -> Any:
    """Return a part of JSON; a sum that was empty holds the number that is put there."""
    if isinstance(at, dict):
        return at[part]
    if not at:
        at.append({"times": 0})
    return at[int(part)]


def adds_up(game: Definition) -> bool:
    """Return whether a deal of the game must add up to something already."""
    sums = {step.name for step in game.steps if isinstance(step, Gathers) and step.gather == "sum"}
    return any(check.of in sums for check in game.checks)


def adding_up(whole: JsonObject, to: Sequence[int], says: str) -> JsonObject:
    """Return the JSON of a game whose scores of a deal must add up to one of some numbers."""
    parts: Any = whole
    step = {"name": TOTAL, "gather": "sum", "of": parts["score"]}
    check = {"of": TOTAL, "one_of": [*to], "says": says}
    return {**whole, "steps": [*parts["steps"], step], "checks": [*parts["checks"], check]}
