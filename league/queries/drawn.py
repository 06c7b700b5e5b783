"""What stood when a round was drawn."""

from fractions import Fraction

from league import log
from league.core.drawing.cost import points_apart
from league.models import Competition, Round


def apart_in(competition: Competition, drawn: Round) -> Fraction | None:
    """Return how far points at a table were apart at most; None where the draw did not look at points."""
    if "spread" not in drawn.report:
        return None
    state = log.latest(competition)
    stage = state.stages[drawn.stage.number - 1]
    its_round = next((each for each in stage.rounds if each.number == drawn.number), None)
    return points_apart(state, stage, its_round) if its_round else None
