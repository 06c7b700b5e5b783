"""Every entry plays every round, at tables drawn so that entries meet as evenly as possible."""

from games.engine.chance import Chance
from league.core.drawing.draw import Draw
from league.core.drawing.drawing import begun
from league.core.formats.base import Format
from league.core.state.competition import Competition, Stage


class Rounds(Format):
    """The simplest format: a number of rounds with new opponents in each."""

    key = "rounds"
    title = "Rounds for everybody"
    summary = "Everybody plays every round; tables are drawn so that people meet as evenly as possible."

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        drawing = begun(state, stage, number, chance)
        return drawing.each_group(drawing.least_cost)
