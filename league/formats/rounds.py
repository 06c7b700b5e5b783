"""Everybody plays every round, at tables drawn so that people meet as evenly as possible."""

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import Draw, Format
from league.formats.drawing import Drawing


class Rounds(Format):
    """The plainest format: so many rounds, new company in each."""

    key = "rounds"
    title = "Rounds for everybody"
    summary = "Everybody plays every round; tables are drawn so that people meet as evenly as possible."

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = Drawing(state, stage, number, chance)
        return drawing.each_group(drawing.least_cost)
