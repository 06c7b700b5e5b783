"""The fields of a round's result, for forms and clients."""

from typing import Final

from games.engine.base import FieldChoice
from games.engine.messages import text
from games.rules.scoops.contract import GOALS
from games.rules.scoops_scorecard.card import State
from games.rules.scoops_scorecard.moves import Outcome

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
