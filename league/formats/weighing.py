"""What a seating costs, whoever made it: so that an organiser sees what an exchange of seats would do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine.jsontypes import JsonObject
from league import formats
from league.competition.state import Competition, Round, Stage
from league.formats.base import DrawnTable
from league.formats.cost import costs, report
from league.formats.history import History, history
from league.formats.seating import total


@dataclass(frozen=True)
class Weighed:
    """A seating's cost as `league.formats.cost` states it, its report, and those who rest once more."""

    cost: int
    report: JsonObject
    resting_again: tuple[str, ...]


def weighed(state: Competition, stage: Stage, proposal: Round) -> Weighed:
    """Return what the tables of a proposed round cost, however they came about."""
    remembered = history(stage)
    levels = formats.find(stage.plan.format).levels(state, stage)
    tables = tuple(_drawn(proposal))
    cost = sum(_cost(state, remembered, group, levels) for group in _by_group(tables))
    again = tuple(entry for entry in proposal.byes if remembered.byes[entry])
    return Weighed(cost, report(remembered, tables, proposal.byes, levels), again)


def _drawn(proposal: Round) -> Iterator[DrawnTable]:
    """Yield the tables; of a team's boards one, for all of them seat the same entries."""
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
    remembered: History,
    tables: Sequence[DrawnTable],
    levels: Mapping[str, int] | None,
) -> int:
    entries = [entry for table in tables for entry in table.entries]
    place = {entry: at for at, entry in enumerate(entries)}
    seated = [[place[entry] for entry in table.entries] for table in tables]
    return total(costs(state, remembered, entries, levels), seated)
