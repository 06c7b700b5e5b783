"""A deal that a definition allows, for clients that have to know one and for tests: found by trying."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice, product
from typing import Any, Final, TypeAlias

from games.engine import shapes
from games.engine.jsontypes import JsonObject
from games.engine.paper import Card
from games.engine.refusals import Refusal
from games.rules.card_game.definition import MOST, Decides, Definition, Options, Written
from games.rules.card_game.formula import worked_out
from games.rules.card_game.score_card import check_result, lined, numbers, of_deal, of_seats, result_of

MOST_TRIED: Final = 600
Place: TypeAlias = tuple[int | None, str]
"""Where a value stands: the seat of its line, None for what is written once, and the field."""


@lru_cache(maxsize=2000)
def example(game: Definition, seats: int, number: int) -> JsonObject | None:
    """Return a result of a deal that is as empty as it can be; None if none is found soon."""
    card: Card[Options, Any] = Card(Options(game), seats)
    for tried, values in enumerate(_candidates(game, seats)):
        if tried == MOST_TRIED:
            return None
        data = _result(game, seats, values)
        try:
            check_result(card, number, shapes.read(result_of(game), data))
        except Refusal:
            continue
        return data
    return None


@lru_cache(maxsize=500)
def scoring_example(game: Definition, seats: int) -> JsonObject | None:
    """Return a result of the first deal that brings somebody points; any, or None, if none is found soon."""
    card: Card[Options, Any] = Card(Options(game), seats)
    for full in (True, False):
        for values in islice(_candidates(game, seats, full=full), MOST_TRIED):
            data = _result(game, seats, values)
            try:
                result: Any = shapes.read(result_of(game), data)
                check_result(card, 1, result)
            except Refusal:
                continue
            if any(worked_out(game, seats, 1, numbers(game, seats, result))[game.score]):
                return data
    return example(game, seats, 1)


def legal_deals(game: Definition, seats: int, number: int) -> tuple[Any, ...]:
    """Return some results of a deal that can be, as different as trying finds them soon."""
    card: Card[Options, Any] = Card(Options(game), seats)
    found: list[Any] = []
    for full in (True, False):
        for values in islice(_candidates(game, seats, full=full), MOST_TRIED):
            try:
                result: Any = shapes.read(result_of(game), _result(game, seats, values))
                check_result(card, number, result)
            except Refusal:
                continue
            found.append(result)
    return tuple(found)


def _candidates(game: Definition, seats: int, *, full: bool = False) -> Iterator[Mapping[Place, Any]]:
    """Yield values to try: the plainest ones, then with one of them changed, then with two."""
    places: dict[Place, Written] = {(None, each.name): each for each in of_deal(game) if _required(each)}
    places |= {(seat, each.name): each for seat in range(seats) for each in lined(game, seat)}
    if full:
        places |= {(None, each.name): each for each in of_deal(game)}
    pick = _most_telling if full else _plainest
    least = {place: pick(_values(game, each)) for place, each in places.items() if full or _required(each)}
    yield least
    for count in (1, 2):
        for changed in combinations(places, count):
            for values in product(*(_values(game, places[place]) for place in changed)):
                yield {**least, **dict(zip(changed, values, strict=True))}


def _plainest(values: list[Any]) -> Any:
    return next((value for value in values if value == 0), values[0])


def _most_telling(values: list[Any]) -> Any:
    return next((value for value in values if not isinstance(value, int) or value > 0), values[0])


def _required(each: Written) -> bool:
    return not each.optional


def _values(game: Definition, each: Written) -> list[Any]:
    """Return some values of a field: its bounds, and those of which its formula and checks speak."""
    if each.kind == "choice":
        return [str(value.name) for value in each.values]
    if each.kind != "number":
        return [True, False] if each.kind == "tick" else [0, 1]
    named = {each.least, each.most, 0, 1, *(number for check in game.checks for number in check.one_of)}
    for step in game.steps:
        if isinstance(step, Decides):
            bounds = [value for case in step.cases for at in case.when for value in (at.least, at.most)]
            named |= {value for value in bounds if abs(value) < MOST}
    return sorted(value for value in named if each.least <= value <= each.most)


def _result(game: Definition, seats: int, values: Mapping[Place, Any]) -> JsonObject:
    once = {name: value for (seat, name), value in values.items() if seat is None}
    if not of_seats(game):
        return once
    lines: list[Any] = [
        {name: value for (its, name), value in values.items() if its == seat} for seat in range(seats)
    ]
    return {**once, "seats": lines}
