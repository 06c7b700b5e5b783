"""Drop-in: who is here and free waits for a table, and tables open by themselves as people come and go."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, count
from math import comb
from typing import Annotated, Final

from games.engine.chance import Chance
from games.engine.messages import Message, text
from games.engine.shapes import Between, Help, Label
from league.core.drawing.draw import Draw, stage_sizes, table_sizes
from league.core.drawing.wishes import Pair, Rules, Units, pairs, rules_of
from league.core.formats.rounds import OpenPlay
from league.core.state.competition import Competition, Stage
from league.core.state.cut_offs import Wish
from league.core.state.plan import StagePlan

MOST_WAITING: Final = 12
"""Of so many all choices of a table are compared: 462 at most."""
MOST_TABLES: Final = 1_000
"""Where wishes count, of as many as make so many choices at most."""
TRIED: Final = 100
"""Of so many, the best ones, it is tried how many further tables the others can fill."""


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


@dataclass(frozen=True)
class _Wanted:
    """What those of a group who are here wish: for each other, and who waits and would sit with whom."""

    rules: Rules
    hopes: Sequence[Pair]

    def __bool__(self) -> bool:
        return bool(self.rules or self.hopes)

    def broken(self, table: Set[str]) -> tuple[bool, int]:
        """Return whether a table breaks a wish that holds always, and how many that hold if possible."""
        found = [always for _pair, always in self.rules.broken([table])]
        return any(found), found.count(False) + sum(len(pair & table) == 1 for pair in self.hopes)

    def first_of(self, tables: Sequence[Sequence[str]], queue: Sequence[str]) -> Sequence[str]:
        """Return the first table after which those who still wait can fill the most others at once."""
        size = len(tables[0])
        all_kept = Rules(dict.fromkeys(self.rules.apart, True), self.rules.together.union(self.hopes))
        for more in range(len(queue) // size - 1, 0, -1) if self else ():
            for rules in (all_kept, self.rules):
                if not _fill(rules, queue, more + 1, size):
                    continue
                for table in tables[:TRIED]:
                    if _fill(rules, [each for each in queue if each not in table], more, size):
                        return table
        return tables[0]


def _fill(rules: Rules, waiting: Sequence[str], tables: int, size: int) -> bool:
    """Return whether some who wait can fill so many tables of a size at once, as far as rules allow."""
    units, rest = Units(rules.among(waiting), waiting), len(waiting) - tables * size
    return units.seated(range(len(waiting)), [size] * tables, resting=rest) is not None


class DropIn(OpenPlay):
    """Who waits longest always gets a seat; of the next ones, those who met the least."""

    key = "drop_in"
    edition = 2
    title = "Drop-in"
    summary = "People come and go: whoever is free waits for a table, which opens by itself."
    params = Waiting
    seats_waiting = True
    heeds_wishes = True

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

    def next_table(
        self, state: Competition, stage: Stage, *, smaller: bool = False, wishes: Sequence[Wish] = ()
    ) -> tuple[str, ...]:
        played = stage.current_round
        if played is None or played.queue is None:
            return ()
        busy = {table.group for table in played.tables if table.status == "playing"}
        # Once a table opens, all of its group who wait then and fill further tables are seated too.
        goes_on = played.tables[-1].group if played.seated == state.seq else 0
        for number, group in enumerate(stage.groups, 1):
            queue = [entry for entry, _since in played.queue if entry in group]
            least = 0 if smaller or number == goes_on or number not in busy else self._least(stage.plan)
            rules = rules_of(wishes, group, played.number, self.rounds(state, stage))
            hopes = [pair for each in wishes if each.is_hope for pair in pairs(each) if pair.issubset(queue)]
            for size in self._sizes(state, stage, len(queue), smaller=smaller) if len(queue) >= least else ():
                if seated := self._chosen(stage, queue, size, _Wanted(rules, hopes)):
                    return seated
        return ()

    def _least(self, plan: StagePlan) -> int:
        waiting: Waiting = self.read_params(plan)
        return max(waiting.waiting, plan.table_size)

    def _sizes(self, state: Competition, stage: Stage, waiting: int, *, smaller: bool) -> Iterator[int]:
        """Yield how many sit at the next table, none where too few wait; smaller ones for wishes follow."""
        allowed = stage_sizes(state.opening, stage.plan)
        preferred = min(allowed, key=lambda size: (abs(size - stage.plan.table_size), size))
        if not smaller:
            yield from (preferred,) if waiting >= preferred else ()
        elif sizes := table_sizes(waiting, allowed, preferred):
            yield from sorted((size for size in allowed if size <= sizes[0]), reverse=True)

    def _chosen(self, stage: Stage, queue: Sequence[str], size: int, wanted: _Wanted) -> tuple[str, ...]:
        """Return who sits at a table, who had the first seat least often first; none where wishes forbid all.

        Wishes that hold always come first, then that who waits longest has a seat, then that the others can
        sit down too, then the other wishes.
        """
        tables = [table for each in stage.rounds for table in each.tables if table.void is None]
        met = Counter(pair for table in tables for pair in combinations(sorted(table.entries), 2))
        first = Counter(table.entries[0] for table in tables)
        near = max(size, self._least(stage.plan))
        most = next(each for each in count(near) if comb(each, size - 1) > MOST_TABLES) if wanted else near

        def cost(
            front: Sequence[str], others: tuple[int, ...]
        ) -> tuple[bool, int, bool, int, tuple[int, ...]]:
            table = sorted(front[each] for each in (0, *others))
            meetings = sum(met[pair] for pair in combinations(table, 2))
            return *wanted.broken({*table}), others[-1] >= near, meetings, others

        for start in range(len(queue) - size + 1):
            front = queue[start : start + most]
            choices = combinations(range(1, len(front)), size - 1)
            costs = sorted(cost(front, others) for others in choices)
            if kept := [[front[each] for each in (0, *others)] for never, *_, others in costs if not never]:
                seated = wanted.first_of(kept, queue)
                return tuple(sorted(seated, key=lambda entry: (first[entry], queue.index(entry))))
        return ()


class WithoutWishes(DropIn):
    """The first edition."""

    edition = 1
    heeds_wishes = False
