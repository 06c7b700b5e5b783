"""What the totals of a whole game can be: by what deals add up to, what they can give, and where it ends."""

from collections.abc import Collection, Sequence
from math import gcd
from typing import Final

from games.engine.messages import Message, either, text
from games.rules.card_game.definition import Check, Decides, Definition, Gathers, Options


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
    values = _values(game)
    if not values or most * (max(values) - min(values)) > _MOST_SUMS:
        return None
    found = {0}
    for _ in range(most):
        found |= {before + value for before in found for value in values}
    wrong = next((total for total in totals if total not in found), None)
    if wrong is None:
        return None
    return text(
        "No total is %(total)s: each deal gives %(values)s. Correct it, or say why.",
        total=wrong,
        values=either([str(value) for value in sorted(values)]),
    )


_MOST_SUMS: Final = 2000
"""Totals are tried one by one only where there are few."""


def _values(game: Definition) -> Collection[int]:
    """Return what a deal can give a seat where that is one of a few numbers, nothing where it is not."""
    step = next((each for each in game.steps if each.name == game.score), None)
    if not isinstance(step, Decides) or any(term.of for case in step.cases for term in case.then):
        return ()
    return {0, *(sum(term.times for term in case.then) for case in step.cases)}


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
