"""The printed score sheet of a table with real cards: goals to circle, and points to write down."""

from typing import Final

from games.engine.base import Form, FormRow
from games.engine.messages import text
from games.rules.scoops.contract import GOALS
from games.rules.scoops_scorecard.moves import Options

MOST_ROWS: Final = 12
"""Rounds on a sheet: a game ends by itself, most often sooner."""


def form(options: Options) -> Form:
    """Return a row for each round; the first half of the goals stands above the other."""
    names = [f"{die} {goal.name}" for die, goal in enumerate(GOALS, 1)]
    upper, lower = " · ".join(names[:3]), " · ".join(names[3:])
    numbers = range(1, min(options.round_limit, MOST_ROWS) + 1)
    legend = (
        text("Circle the goal. The winner of a deal scores 1, and 1 for each book of nothing but specials."),
        text("Write a dash where nobody won, and under it the total so far."),
        text("First to %(target)s wins (C12).", target=options.target),
        text("For more than %(rounds)s deals take another sheet.", rounds=len(numbers)),
    )
    return Form(
        tuple(FormRow(number, upper, lower) for number in numbers),
        legend,
        first_dealer=None,
        heading=text("Goal"),
        placing=text("Place (highest total wins)"),
    )
