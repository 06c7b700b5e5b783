"""Drop-in: who is here and free waits for a table, and tables open by themselves as people come and go."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Final

from games.engine.chance import Chance
from games.engine.messages import Message, text
from games.engine.shapes import Between, Help, Label
from league.core.drawing.draw import Draw, stage_sizes, table_sizes
from league.core.formats.rounds import OpenPlay
from league.core.state.competition import Competition, Stage
from league.core.state.plan import StagePlan

MOST_WAITING: Final = 12
"""Of so many all choices of a table are compared: 462 at most."""


@dataclass(frozen=True)
class Waiting:
    """The parameters of a drop-in stage."""

    waiting: Annotated[
        int,
        Between(0, MOST_WAITING),
        Help(
            "a table opens once so many wait, so that the same people do not meet again at once; 0, or where "
            "nobody is playing: as soon as they fill a table"
        ),
        Label("Open a table when so many wait"),
    ] = 0


class DropIn(OpenPlay):
    """Who waits longest always gets a seat; of the next ones, those who met the least."""

    key = "drop_in"
    title = "Drop-in"
    summary = "People come and go: whoever is free waits for a table, which opens by itself."
    params = Waiting
    seats_waiting = True

    def rules(self, plan: StagePlan) -> Sequence[Message]:
        return (
            text(
                "Tables open by themselves for those who wait: who waits longest has a seat, with those "
                "of the next %(count)d who met the least.",
                count=self._least(plan) - 1,
            ),
        )

    def propose(self, state: Competition, stage: Stage, number: int, chance: Chance) -> Draw:
        # Lots order those who are here at the start.
        here = [entry for group in state.field(stage, number) for entry in group]
        return Draw(idle=chance.shuffled("waiting", sorted(here)))

    def next_table(self, state: Competition, stage: Stage, *, smaller: bool = False) -> tuple[str, ...]:
        played = stage.current_round
        if played is None or played.queue is None:
            return ()
        busy = {table.group for table in played.tables if table.status == "playing"}
        # Once a table opens, all of its group who wait then and fill further tables are seated too.
        goes_on = played.tables[-1].group if played.seated == state.seq else 0
        for number, group in enumerate(stage.groups, 1):
            queue = [entry for entry, _since in played.queue if entry in group]
            least = 0 if smaller or number == goes_on or number not in busy else self._least(stage.plan)
            size = self._size(state, stage, len(queue), smaller=smaller)
            if size and len(queue) >= least:
                return self._chosen(stage, queue[: max(size, self._least(stage.plan))], size)
        return ()

    def _least(self, plan: StagePlan) -> int:
        waiting: Waiting = self.read_params(plan)
        return max(waiting.waiting, plan.table_size)

    def _size(self, state: Competition, stage: Stage, waiting: int, *, smaller: bool) -> int:
        """Return how many sit at the next table, 0 where too few wait for one."""
        allowed = stage_sizes(state.opening, stage.plan)
        preferred = min(allowed, key=lambda size: (abs(size - stage.plan.table_size), size))
        if smaller:
            return next(iter(table_sizes(waiting, allowed, preferred)), 0)
        return preferred if waiting >= preferred else 0

    def _chosen(self, stage: Stage, queue: Sequence[str], size: int) -> tuple[str, ...]:
        """Return who sits at a table, who had the first seat least often first."""
        tables = [table for each in stage.rounds for table in each.tables if table.void is None]
        met = Counter(pair for table in tables for pair in combinations(sorted(table.entries), 2))
        first = Counter(table.entries[0] for table in tables)

        def meetings(others: Sequence[int]) -> int:
            return sum(met[pair] for pair in combinations(sorted(queue[each] for each in (0, *others)), 2))

        places = range(1, len(queue))
        others = min(combinations(places, size - 1), key=lambda others: (meetings(others), others))
        seated = [queue[each] for each in (0, *others)]
        return tuple(sorted(seated, key=lambda entry: (first[entry], queue.index(entry))))
