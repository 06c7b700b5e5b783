"""The cost of a seating that was not necessarily drawn: it shows what an exchange of seats would change."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine.jsontypes import JsonObject
from league.core import formats
from league.core.drawing.cost import costs, report
from league.core.drawing.draw import DrawnTable
from league.core.drawing.history import History, history_of
from league.core.drawing.least_cost import total
from league.core.state.competition import Competition, Round, Stage


@dataclass(frozen=True)
class Weighed:
    """A seating's cost (see `league.core.drawing.cost`), its report, and the entries with a second bye."""

    cost: int
    report: JsonObject
    resting_again: tuple[str, ...]


def weighed(state: Competition, stage: Stage, proposal: Round) -> Weighed:
    """Return the cost of the tables of a proposed round, exchanged seats included."""
    history = history_of(stage)
    levels = formats.find(stage.plan.format).levels(state, stage)
    tables = tuple(_drawn(proposal))
    cost = sum(_cost(state, history, group, levels) for group in _by_group(tables))
    again = tuple(entry for entry in proposal.byes if history.byes[entry])
    return Weighed(cost, report(history, tables, proposal.byes, levels), again)


def _drawn(proposal: Round) -> Iterator[DrawnTable]:
    """Yield the tables; of several boards the first, because all have the same entries."""
    for table in proposal.tables:
        if table.board == 1:
            yield DrawnTable(table.entries, table.group, table.label)


def _by_group(tables: Sequence[DrawnTable]) -> list[list[DrawnTable]]:
    groups: dict[int, list[DrawnTable]] = {}
    for table in tables:
        groups.setdefault(table.group, []).append(table)
    return list(groups.values())


def _cost(
    state: Competition,
    history: History,
    tables: Sequence[DrawnTable],
    levels: Mapping[str, int] | None,
) -> int:
    entries = [entry for table in tables for entry in table.entries]
    index = {entry: number for number, entry in enumerate(entries)}
    seated = [[index[entry] for entry in table.entries] for table in tables]
    return total(costs(state, history, entries, levels), seated)
