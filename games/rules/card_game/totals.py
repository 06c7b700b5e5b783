"""What the totals of a whole game can be, where the points of each deal must add up to something."""

from collections.abc import Sequence
from math import gcd

from games.engine.messages import Message, text
from games.rules.card_game.definition import Check, Definition, Gathers, Options


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
    return None


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
