"""Ladder: everybody has a rung; those who meet share out the rungs they hold by how they finish."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help
from league.competition.state import Competition, Stage, Table
from league.formats.bracket import finishing
from league.formats.open_play import OpenPlay
from league.scoring import Reached


@dataclass(frozen=True)
class Rungs:
    """What a ladder asks."""

    reach: Annotated[int, Between(0, 1000), Help("how many rungs apart a table may be; 0: any")] = 0


class Ladder(OpenPlay):
    """Open play in which beating somebody above takes their rung. Who comes late starts at the bottom."""

    key = "ladder"
    title = "Ladder"
    summary = "Challenge those above you at any time: the winner takes the highest rung of the table."
    params = Rungs

    def check_table(self, state: Competition, stage: Stage, entries: Sequence[str]) -> None:
        rungs: Rungs = self.read_params(stage.plan)
        for group in stage.groups:
            order = climbed(state, stage, group, len(stage.rounds))
            held = [order.index(entry) for entry in entries if entry in order]
            if rungs.reach and held and max(held) - min(held) > rungs.reach:
                raise Illegal(f"A table's rungs may be at most {rungs.reach} apart.")

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        return {
            entry: Reached(rung, f"Rung {rung}")
            for group in stage.groups
            for rung, entry in enumerate(climbed(state, stage, group, through), 1)
        }


def climbed(state: Competition, stage: Stage, group: Sequence[str], through: int) -> list[str]:
    """Return a group from the top rung down, after the results of rounds up to one in the order they came."""
    order = list(group)
    for table in sorted(_decided(stage, through), key=_decided_at):
        if {*table.entries} <= {*group}:
            rungs = sorted(order.index(entry) for entry in table.entries)
            for rung, entry in zip(rungs, finishing(state, stage, group, [table]), strict=True):
                order[rung] = entry
    return order


def _decided(stage: Stage, through: int) -> Iterator[Table]:
    """Yield the tables that were played to a result."""
    for each in stage.shown_rounds[:through]:
        yield from (table for table in each.tables if table.status == "played")


def _decided_at(table: Table) -> int:
    """Return the event that decided a table."""
    return max(result.seq for result in table.results)
