"""What a score sheet of Scoops asks: the fields of a round's result, on a page and on paper."""

from typing import Final

from games.engine.base import FieldChoice, Form, FormRow
from games.engine.messages import text
from games.rules.scoops.contract import GOALS
from games.rules.scoops_scorecard.card import State
from games.rules.scoops_scorecard.fields import Options, Outcome

ABOUT_BONUS: Final = text(
    "How many books of nothing but the special rank the winner has laid; each is one more point."
)


def result_fields(state: State, outcome: Outcome | None) -> dict[str, FieldChoice]:
    """Return the fields of a result, drafted from the present one; the winner is left out for nobody."""
    return {
        "goal": FieldChoice(tuple(goal.name for goal in GOALS), draft=outcome.goal if outcome else None),
        "winner": FieldChoice(
            tuple(range(state.seats)), optional=True, seats=True, draft=outcome.winner if outcome else None
        ),
        "bonus": FieldChoice(
            (0,),
            complete=False,
            optional=True,
            about=ABOUT_BONUS,
            draft=(outcome.bonus or None) if outcome else None,
        ),
    }


# ---- On paper ------------------------------------------------------------------------------------

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
