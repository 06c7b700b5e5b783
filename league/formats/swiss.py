"""Swiss: in every round equals meet, and nobody the same people twice while that can be avoided."""

from collections.abc import Mapping
from fractions import Fraction

from games.engine.chance import Chance
from league import scoring
from league.competition.state import Competition, Stage
from league.formats.base import Draw, Format
from league.formats.drawing import Drawing

SCALE = 200
"""How many levels lie between the first and the last of the field."""


class Swiss(Format):
    """A number of rounds in which the draw follows the points."""

    key = "swiss"
    title = "Swiss"
    summary = "A set number of rounds; those with equal points meet, and the same people not twice."

    def levels(self, state: Competition, stage: Stage) -> Mapping[str, int]:
        return points_as_levels(state, stage)

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = Drawing(state, stage, number, chance)
        levels = self.levels(state, stage)
        return drawing.each_group(lambda group, playing: drawing.least_cost(group, playing, levels), levels)


def points_as_levels(state: Competition, stage: Stage) -> Mapping[str, int]:
    """Return each entry's standing as a whole number from 0 (last) to `SCALE` (first), even in points."""
    pay = scoring.rate(state, stage)
    sign = -1 if pay.low_points_win else 1
    points = {entry: sign * record.points for entry, record in scoring.records(state, stage).items()}
    low, high = min(points.values(), default=Fraction(0)), max(points.values(), default=Fraction(0))
    if low == high:
        return dict.fromkeys(points, 0)
    return {entry: int((value - low) * SCALE / (high - low)) for entry, value in points.items()}
