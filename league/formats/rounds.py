"""Everybody plays every round, at tables drawn so that people meet as evenly as possible."""

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import Draw, Format
from league.formats.cost import report
from league.formats.drawing import least_cost
from league.formats.history import history


class Rounds(Format):
    """The plainest format: so many rounds, new company in each."""

    key = "rounds"
    title = "Rounds for everybody"
    summary = "Everybody plays every round; tables are drawn so that people meet as evenly as possible."

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        remembered = history(stage)
        drawn = [
            least_cost(state, stage, remembered, group, entries, chance)
            for group, entries in enumerate(state.field(stage, number), 1)
            if entries
        ]
        tables = tuple(table for its_tables, _ in drawn for table in its_tables)
        byes = tuple(entry for _, its_byes in drawn for entry in its_byes)
        return Draw(tables, report(stage, tables, byes), byes)
