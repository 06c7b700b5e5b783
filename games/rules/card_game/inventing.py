"""An invented game with the totals that its deals give: legal deals by chance, until it is over."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.paper import Card, added
from games.engine.refusals import Refusal
from games.rules.card_game.definition import Options, Written
from games.rules.card_game.examples import legal_deals
from games.rules.card_game.formula import PerSeat, worked_out
from games.rules.card_game.score_card import (
    check_result,
    has_ended,
    lined,
    numbers,
    of_deal,
    of_seats,
    result_of,
)

_TRIED: Final = 60
"""So many deals are tried by chance before one of those that are known is taken."""
_OFFERED: Final = 3
"""Of so many deals the one that is best for the stronger seats is played."""


def invented_totals(options: Options, seats: int, strength: PerSeat, chance: Chance) -> PerSeat | None:
    """Return the totals of a game in which who has more strength is often better; None without deals."""
    game = options.definition
    card, totals = Card[Options, Any](options, seats), (0,) * seats
    for number in range(1, options.dealt(seats) + 1):
        found = [*_deals(card, number, chance)]
        if not found:
            return None
        sign = -1 if game.low_wins else 1
        brought = max(found, key=lambda each: sum(sign * a * b for a, b in zip(each, strength, strict=True)))
        before, totals = totals, added((totals, brought))
        if has_ended(game, totals, before):
            break
    return totals


def _deals(card: Card[Options, Any], number: int, chance: Chance) -> Iterator[PerSeat]:
    """Yield what some deals bring: made by chance, or known ones where chance finds none that can be."""
    game, seats = card.options.definition, card.seats
    tried = (_by_chance(card, number, chance, at) for at in range(_TRIED))
    made = [*islice((each for each in tried if each is not None), _OFFERED)]
    known = () if made else _known(card.options, seats, (number - 1) % seats + 1)
    made += [known[chance.below(f"known {number} {at}", len(known))] for at in range(_OFFERED) if known]
    for result in made:
        yield worked_out(game, seats, number, numbers(game, seats, result))[game.score]


@lru_cache(maxsize=64)
def _known(options: Options, seats: int, number: int) -> tuple[Any, ...]:
    return legal_deals(options.definition, seats, number)


def _by_chance(card: Card[Options, Any], number: int, chance: Chance, attempt: int) -> Any:
    game, seats, key = card.options.definition, card.seats, f"deal {number} {attempt}"
    data: dict[str, Any] = dict(_written(of_deal(game), seats, chance, key))
    if of_seats(game):
        data["seats"] = [dict(_written(lined(game, at), seats, chance, f"{key} {at}")) for at in range(seats)]
    try:
        result: Any = shapes.read(result_of(game), data)
        check_result(card, number, result)
    except Refusal:
        return None
    return result


def _written(fields: Iterable[Written], seats: int, chance: Chance, key: str) -> Iterator[tuple[str, Any]]:
    """Yield a value for each field; what can be left out is, mostly, and what is needed with it."""
    out: set[str] = set()
    for each in fields:
        seldom = each.kind == "number" and not each.needed_with
        if each.optional and (
            each.needed_with in out or (seldom and chance.below(f"{key} no {each.name}", 8))
        ):
            out.add(each.name)
        else:
            yield each.name, _value(each, seats, chance, key)


def _value(each: Written, seats: int, chance: Chance, key: str) -> Any:
    purpose = f"{key} {each.name}"
    if each.kind == "number":
        unit = 5 if each.most - each.least > _FINE else 1
        steps = (each.most - each.least) // unit + 1
        # The lower of two: most deals bring less than they could.
        return each.least + unit * min(chance.below(f"{purpose} {at}", steps) for at in range(2))
    if each.kind == "choice":
        return str(each.values[chance.below(purpose, len(each.values))].name)
    return bool(chance.below(purpose, 2)) if each.kind == "tick" else chance.below(purpose, seats)


_FINE: Final = 300
"""Larger numbers are multiples of five, as those of cards usually are."""
