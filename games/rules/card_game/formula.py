"""The formula of a club's game: works out what every seat scores in a deal, in whole numbers.

Each step gives a number for every seat from what was written and from the steps before it. The bounds of all
numbers follow from those of what is written, so that a definition whose points could grow without limit is
refused before anybody plays.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from games.rules.card_game.definition import (
    BUILT_IN,
    MOST_DEALS,
    MOST_SEATS,
    Adds,
    Condition,
    Decides,
    Definition,
    Gathers,
    Multiplies,
    RoundsUp,
    Step,
    Sum,
    Written,
)

PerSeat: TypeAlias = tuple[int, ...]
Range: TypeAlias = tuple[int, int]
"""The least and the most that a value can be."""

AMONG: Final[Mapping[str, Callable[[Iterable[int]], int]]] = {"sum": sum, "most": max, "least": min}

# ---- What a deal gives -----------------------------------------------------------------------------


def worked_out(
    game: Definition, seats: int, deal: int, written: Mapping[str, PerSeat]
) -> Mapping[str, PerSeat]:
    """Return every value of a deal by its name, for each seat: what was written, and what the steps give."""
    known = {**built_in(game, seats, deal), **written}
    for step in game.steps:
        known[step.name] = _taken(step, known, game.teams(seats))
    return known


def built_in(game: Definition, seats: int, deal: int) -> dict[str, PerSeat]:
    """Return what a formula knows of a deal before anything is written."""
    dealer = tuple(int((deal - 1) % seats == seat) for seat in range(seats))
    out = dealer if 0 < game.players < seats else (0,) * seats
    return dict(zip(BUILT_IN, ((seats,) * seats, (deal,) * seats, dealer, out), strict=True))


def _taken(step: Step, known: Mapping[str, PerSeat], teams: PerSeat) -> PerSeat:
    seats = range(len(teams))
    match step:
        case Adds():
            return tuple(_sum(step.sum, known, seat) for seat in seats)
        case Multiplies():
            first, second = (known[name] for name in step.product)
            return tuple(a * b for a, b in zip(first, second, strict=True))
        case RoundsUp():
            pairs = zip(known[step.reaching], known[step.multiple_of], strict=True)
            return tuple(-(-value // unit) * unit if unit > 0 else value for value, unit in pairs)
        case Decides():
            return tuple(_decided(step, known, seat) for seat in seats)
        case Gathers():
            return tuple(_gathered(step, known[step.of], teams, seat) for seat in seats)
    assert_never(step)


def _sum(terms: Sum, known: Mapping[str, PerSeat], seat: int) -> int:
    return sum(term.times * (1 if term.of is None else known[term.of][seat]) for term in terms)


def _decided(step: Decides, known: Mapping[str, PerSeat], seat: int) -> int:
    for case in step.cases:
        if all(_holds(condition, known, seat) for condition in case.when):
            return _sum(case.then, known, seat)
    return 0


def _holds(condition: Condition, known: Mapping[str, PerSeat], seat: int) -> bool:
    return condition.least <= known[condition.of][seat] <= condition.most


def _gathered(step: Gathers, values: PerSeat, teams: PerSeat, seat: int) -> int:
    if step.among == "partners":
        chosen = [value for value, team in zip(values, teams, strict=True) if team == teams[seat]]
    else:
        first = [other for other, team in enumerate(teams) if teams.index(team) == other]
        chosen = [
            values[other] for other in first if step.among == "everybody" or teams[other] != teams[seat]
        ]
    return AMONG[step.gather](chosen)


# ---- What it can give at all -------------------------------------------------------------------------


def range_of(field: Written) -> Range:
    """Return the bounds of something that is written."""
    if field.kind == "number":
        bounds = (field.least, field.most)
    elif field.kind == "choice":
        bounds = _hull((value.worth, value.worth) for value in field.values)
    else:
        bounds = (0, 1)
    return (min(bounds[0], 0), max(bounds[1], 0)) if field.optional or field.per != "deal" else bounds


def first_ranges(game: Definition) -> dict[str, Range]:
    """Return the bounds of all that is known before the first step."""
    built = dict(zip(BUILT_IN, ((min(game.seats), MOST_SEATS), (1, MOST_DEALS), (0, 1), (0, 1)), strict=True))
    return {**built, **{field.name: range_of(field) for field in game.fields}}


def ranges_of(game: Definition) -> dict[str, Range]:
    """Return the bounds of all that is known after the last step; raise KeyError for an unknown name."""
    known = first_ranges(game)
    for step in game.steps:
        known[step.name] = range_after(step, known)
    return known


def range_after(step: Step, known: Mapping[str, Range]) -> Range:
    """Return the bounds of what a step gives; raise KeyError for a name that is not known before it."""
    match step:
        case Adds():
            return _range_of_sum(step.sum, known)
        case Multiplies():
            first, second = (known[name] for name in step.product)
            return _hull((a * b, a * b) for a in first for b in second)
        case RoundsUp():
            (low, high), unit = known[step.reaching], known[step.multiple_of]
            return low, high + max(unit[1] - 1, 0)
        case Decides():
            _ = [known[condition.of] for case in step.cases for condition in case.when]
            certain = any(not case.when for case in step.cases)
            sums = [_range_of_sum(case.then, known) for case in step.cases]
            return _hull(sums if certain else [*sums, (0, 0)])
        case Gathers():
            low, high = known[step.of]
            if step.gather == "sum":
                return min(low, low * MOST_SEATS), max(high, high * MOST_SEATS)
            return low, high
    assert_never(step)


def _range_of_sum(terms: Sum, known: Mapping[str, Range]) -> Range:
    parts = [(0, 0)]
    for term in terms:
        bounds = (1, 1) if term.of is None else known[term.of]
        parts.append(_hull((term.times * value, term.times * value) for value in bounds))
    return sum(low for low, _high in parts), sum(high for _low, high in parts)


def _hull(ranges: Iterable[Range]) -> Range:
    found: Sequence[Range] = [*ranges]
    return min(low for low, _high in found), max(high for _low, high in found)
