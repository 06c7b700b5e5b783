"""Ladder: every entry has a rung; entries at a table redistribute their rungs in the order they finish."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help
from league.core.drawing.bracket import finishing
from league.core.formats.open_play import OpenPlay
from league.core.scoring import Reached
from league.core.state.competition import Competition, Stage, Table


@dataclass(frozen=True)
class Rungs:
    """The parameters of a ladder."""

    reach: Annotated[int, Between(0, 1000), Help("how many rungs apart a table may be; 0: any")] = 0


class Ladder(OpenPlay):
    """Open play in which beating an entry above takes its rung.

    Late entries start at the bottom. Who has withdrawn leaves the ladder, and those below move up.
    """

    key = "ladder"
    title = "Ladder"
    summary = "Challenge those above you at any time: the winner takes the highest rung of the table."
    edition = 2
    params = Rungs

    def check_table(self, state: Competition, stage: Stage, entries: Sequence[str]) -> None:
        reach = self.read_params(stage.plan).reach
        for group in stage.groups:
            order = self.order(state, stage, group, len(stage.rounds))
            rungs = [order.index(entry) for entry in entries if entry in order]
            if reach and rungs and max(rungs) - min(rungs) > reach:
                raise Illegal(text("A table's rungs may be at most %(reach)s apart.", reach=reach))

    def order(self, state: Competition, stage: Stage, group: Sequence[str], through: int) -> list[str]:
        """Return the entries of a group that are on the ladder after a round, from the top rung down."""
        at = (stage.number, max(through, 1))
        return [entry for entry in climbed(state, stage, group, through) if state.entry(entry).takes_part(at)]

    def reached(self, state: Competition, stage: Stage, through: int) -> dict[str, Reached]:
        found: dict[str, Reached] = {}
        for group in stage.groups:
            order = self.order(state, stage, group, through)
            found |= {entry: Reached(len(order) + 1) for entry in group}
            found |= {
                entry: Reached(rung, text("Rung %(rung)s", rung=rung)) for rung, entry in enumerate(order, 1)
            }
        return found


class KeptRungs(Ladder):
    """The first edition: who has withdrawn keeps the rung."""

    edition = 1

    def order(self, state: Competition, stage: Stage, group: Sequence[str], through: int) -> list[str]:
        return climbed(state, stage, group, through)


def climbed(state: Competition, stage: Stage, group: Sequence[str], through: int) -> list[str]:
    """Return a group from the top rung down, after the results of rounds up to ``through`` in their order."""
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
