"""Whist tournaments: rounds of tables of four in which every two are partners once and opponents twice.

Tables drawn one after another can leave no round in which nobody has a partner again; a whist tournament has
one for each: Wh(4m) in 4m - 1 rounds, and Wh(4m + 1) in 4m + 1, in each of which another one sits out. Its
rounds follow from one, found by search, by adding 1 modulo 4m - 1 or 4m + 1 (Z-cyclic); those of 9 are from
the powers of a generator of the field with nine elements. I. Anderson, Combinatorial Designs and Tournaments,
1997; Handbook of Combinatorial Designs, second edition, part VI.64.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, cycle, islice
from typing import Final

from games.engine.chance import Chance
from league.core.drawing.designs import DesignRound
from league.core.drawing.least_cost import Tables
from league.core.drawing.schedule import Field, embeddings, read_schedules
from league.core.state.competition import Round

WHIST: Final[Mapping[Field, tuple[DesignRound, ...]]] = dict(read_schedules("whist"))
"""The tournaments by their fields; first and third of a table are partners, and second and fourth."""


def whist(entries: int, sizes: Sequence[int], rounds: int) -> tuple[DesignRound, ...]:
    """Return rounds in which nobody has a partner again before all had each other; none where they are few.

    Few are less than three quarters of a tournament: drawn one by one, they have as few partners again, and
    opponents more evenly.
    """
    known = WHIST.get((entries, tuple(sizes)), ())
    return tuple(islice(cycle(known), rounds)) if known and 4 * rounds >= 3 * (entries - 1) else ()


@dataclass(frozen=True)
class Whist:
    """The rounds of a whist tournament for entries who play the same one from the first round on."""

    rounds: Sequence[DesignRound]
    entries: Sequence[str]
    played: Sequence[Round]

    @cached_property
    def index(self) -> dict[str, int]:
        return {entry: number for number, entry in enumerate(self.entries)}

    def tables(self, chance: Chance) -> Tables | None:
        """Return the tables of the next round, in seat order; None where others were played."""
        number = len(self.played)
        if number >= len(self.rounds):
            return None
        halved = [each for one_round in self.rounds[: number + 1] for each in self._halved(one_round)]
        before: list[Tables] = []
        for each in self.played:
            tables = [[self.index.get(entry, -1) for entry in table.entries] for table in each.tables]
            mine = [table for table in tables if max(table) >= 0]
            if any(len(table) != 4 or min(table) < 0 for table in mine):
                return None
            before += self._halved(mine)
        found = next(embeddings(halved, before, chance, "whist"), None)
        return None if found is None else [[found[one] for one in table] for table in self.rounds[number]]

    def _halved(self, tables: Sequence[Sequence[int]]) -> Iterator[Tables]:
        """Yield the tables of a round, then its partners; those at none are at one more."""
        seated = {*chain(*tables)}
        resting = [[one] for one in range(len(self.entries)) if one not in seated]
        yield [*map(list, tables), *resting]
        yield [*([table[seat], table[seat + 2]] for table in tables for seat in (0, 1)), *resting]
