"""What the totals of a whole game can be: by what deals add up to, what they can give, and where it ends."""

from collections.abc import Collection, Sequence
from functools import reduce
from itertools import product
from math import gcd, prod
from operator import or_
from typing import Final

from games.engine.messages import Message, either, text
from games.rules.card_game.definition import Check, Condition, Decides, Definition, Gathers, Options
from games.rules.card_game.formula import Range, ranges_of
from games.rules.card_game.score_card import at_target


def doubt(options: Options, totals: Sequence[int]) -> Message | None:
    """Return why these totals of each seat can't be those of a game, None where they can be."""
    game, seats = options.definition, len(totals)
    teams = game.teams(seats)
    whole = sum(total for seat, total in enumerate(totals) if teams.index(teams[seat]) == seat)
    most = options.dealt(seats)
    ends_early = game.target or game.may_end
    for check in _sums(game):
        if not any(
            _reached(check.one_of, whole, deals) for deals in range(1 if ends_early else most, most + 1)
        ):
            return text(
                "%(says)s These totals add up to %(sum)s: correct them, or say why.",
                says=Message(check.says, {}),
                sum=whole,
            )
    return _out_of_reach(options, totals, most)


def _out_of_reach(options: Options, totals: Sequence[int], most: int) -> Message | None:
    """Return why a total can't be come to in so many deals, or no game ends with these."""
    game = options.definition
    if game.target and max(totals) < game.target and not (game.may_end or options.rounds):
        return text(
            "Nobody has %(target)s, with which the game ends. Correct the totals, or say why.",
            target=game.target,
        )
    if game.several_at_target == "in_turn" and len(at_target(game, totals)) > 1:
        return text(
            "Several have %(target)s, and who comes first after the dealer wins: totals alone put the best "
            "first. Enter the deals, or say why.",
            target=game.target,
        )
    least, highest = ranges_of(game)[game.score]
    low, high = most * min(least, 0), most * max(highest, 0)
    if beyond := [total for total in totals if not low <= total <= high]:
        return text(
            "No total is %(total)s: a game gives from %(low)s to %(high)s. Correct it, or say why.",
            total=_signed(beyond[0]),
            low=_signed(low),
            high=_signed(high),
        )
    return _past_the_end(game, totals, highest) or _between_values(game, totals, most)


def _past_the_end(game: Definition, totals: Sequence[int], highest: int) -> Message | None:
    """Return why the game would have ended before, unless two were level in front when it could have."""
    if not game.target or max(totals) < game.target + max(highest, 1):
        return None
    first, second = sorted(dict(zip(game.teams(len(totals)), totals, strict=True)).values())[
        :: 1 if game.low_wins else -1
    ][:2]
    if game.several_at_target == "play_on" and len(at_target(game, totals)) > 1:
        return None
    if game.level_at_target == "play_on" and abs(first - second) <= highest - ranges_of(game)[game.score][0]:
        return None
    return text(
        "With %(target)s the game ends: nobody comes to %(total)s. Correct it, or say why.",
        target=game.target,
        total=max(totals),
    )


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _between_values(game: Definition, totals: Sequence[int], most: int) -> Message | None:
    """Return why deals that give one of a few numbers don't come to a total."""
    values = sorted(_values(game))
    if not values or most * (values[-1] - values[0]) > _MOST_SUMS:
        return None
    found = 1  # the bit n is set where n above the least total can be
    for _ in range(most):
        found = reduce(or_, (found << (value - values[0]) for value in values))
    wrong = next((total for total in totals if not found >> (total - most * values[0]) & 1), None)
    if wrong is None:
        return None
    if len(values) > _MOST_TOLD:
        return text("No deals of this game come to %(total)s. Correct it, or say why.", total=_signed(wrong))
    return text(
        "No total is %(total)s: each deal gives %(values)s. Correct it, or say why.",
        total=_signed(wrong),
        values=either([_signed(value) for value in values]),
    )


_MOST_SUMS: Final = 20_000
_MOST_VALUES: Final = 400
"""Totals are tried one by one only where there are few, and what a deal can give where that is little."""
_MOST_TOLD: Final = 8


def _values(game: Definition) -> Collection[int]:
    """Return what a deal can give a seat where that is one of a few numbers, nothing where it is not."""
    known = ranges_of(game)
    step = next((each for each in game.steps if each.name == game.score), None)
    if not isinstance(step, Decides):
        return ()
    found = {0}
    for case in step.cases:
        bounds = {
            term.of: _within(known[term.of], [each for each in case.when if each.of == term.of])
            for term in case.then
            if term.of
        }
        if prod(len(each) for each in bounds.values()) > _MOST_VALUES:
            return ()
        for values in product(*bounds.values()):
            worth = dict(zip(bounds, values, strict=True))
            found.add(sum(term.times * (worth[term.of] if term.of else 1) for term in case.then))
    return found


def _within(bounds: Range, conditions: Sequence[Condition]) -> range:
    """Return the values of a case within the bounds of its conditions."""
    low, high = bounds
    return range(
        max(low, *(each.least for each in conditions), low),
        min(high, *(each.most for each in conditions), high) + 1,
    )


def _sums(game: Definition) -> list[Check]:
    """Return the checks of what the points of all seats add up to."""
    sums = {
        step.name
        for step in game.steps
        if isinstance(step, Gathers)
        and (step.gather, step.among, step.of) == ("sum", "everybody", game.score)
    }
    return [check for check in game.checks if check.of in sums]


def _reached(one_of: Sequence[int], whole: int, deals: int) -> bool:
    """Return whether so many deals can come to a sum, as far as bounds and the common divisor tell."""
    least = min(one_of)
    step = gcd(*(each - least for each in one_of))
    above = whole - deals * least
    return 0 <= above <= deals * (max(one_of) - least) and (above % step == 0 if step else above == 0)
