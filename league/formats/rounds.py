"""Everybody plays every round, at tables drawn so that people meet as evenly as possible."""

from collections.abc import Sequence

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import Draw, DrawnTable, Format
from league.formats.cost import costs, report
from league.formats.history import History, history
from league.formats.seating import best_seating
from league.formats.seats import in_seats
from league.formats.sizes import entry_sizes, table_sizes


class Rounds(Format):
    """The plainest format: so many rounds, new company in each."""

    key = "rounds"
    title = "Rounds for everybody"
    summary = "Everybody plays every round; tables are drawn so that people meet as evenly as possible."

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        remembered = history(stage)
        tables: list[DrawnTable] = []
        byes: list[str] = []
        for group, entries in enumerate(state.field(stage, number), 1):
            drawn, left_out = _drawn(state, stage, remembered, entries, chance)
            tables.extend(DrawnTable(table, group) for table in drawn)
            byes.extend(left_out)
        return Draw(tuple(tables), tuple(byes), report(stage, [table.entries for table in tables], byes))


def _drawn(
    state: Competition, stage: Stage, remembered: History, entries: Sequence[str], chance: Chance
) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Return one group's tables and byes; the byes go to those who had fewest, by lot among these."""
    sizes = table_sizes(len(entries), entry_sizes(state.opening), stage.plan.table_size)
    lots = sorted(chance.shuffled("byes", sorted(entries)), key=lambda entry: remembered.byes[entry])
    byes = tuple(lots[: len(entries) - sum(sizes)])
    playing = sorted(entry for entry in entries if entry not in byes)
    found = best_seating(costs(state, remembered, playing), sizes, chance, "tables")
    tables = [tuple(playing[one] for one in table) for table in found]
    return [in_seats(table, remembered, chance) for table in tables], byes
