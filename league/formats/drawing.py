"""What most formats share: tables of least cost, byes for those who had fewest, seats that go round."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import Draw, DrawnTable
from league.formats.cost import costs, report
from league.formats.history import History, history
from league.formats.pairing import best_pairs
from league.formats.seating import best_seating, improved, total
from league.formats.seats import in_seats
from league.formats.sizes import stage_sizes, table_sizes


@dataclass(frozen=True)
class Part:
    """What a draw does with one group."""

    tables: tuple[DrawnTable, ...] = ()
    byes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


class Drawing:
    """A round that is being drawn, with all that a draw may look at."""

    def __init__(self, state: Competition, stage: Stage, number: int, chance: Chance) -> None:
        self.state = state
        self.stage = stage
        self.number = number
        self.chance = chance
        self.remembered: History = history(stage)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return how many entries a table may have."""
        return stage_sizes(self.state.opening, self.stage.plan)

    def each_group(
        self, part: Callable[[int, Sequence[str]], Part], levels: Mapping[str, int] | None = None
    ) -> Draw:
        """Return the draw of all groups; ``part`` draws one, given its number and who plays."""
        fields = enumerate(self.state.field(self.stage, self.number), 1)
        parts = [part(group, playing) for group, playing in fields if playing]
        tables = tuple(table for each in parts for table in each.tables)
        byes = tuple(entry for each in parts for entry in each.byes)
        idle = tuple(entry for each in parts for entry in each.idle)
        return Draw(tables, report(self.remembered, tables, byes, levels), byes, idle)

    def least_cost(self, group: int, entries: Sequence[str], levels: Mapping[str, int] | None = None) -> Part:
        """Return a group's tables and byes.

        ``levels`` are standings as whole numbers: with them equals meet, and byes go to the lowest. Where too
        few are left for any table all have byes.
        """
        sizes = table_sizes(len(entries), self.sizes, self.stage.plan.table_size)
        byes = self.resting(entries, len(entries) - sum(sizes), levels)
        playing = sorted(entry for entry in entries if entry not in byes)
        tables = tuple(self.seated(group, table) for table in self._searched(playing, sizes, levels))
        return Part(tables, byes)

    def as_paired(
        self,
        group: int,
        entries: Sequence[str],
        pairs: Sequence[Sequence[str]],
        levels: Mapping[str, int] | None = None,
    ) -> Part | None:
        """Return a group's duels and byes where `least_cost` found just these pairs, as far as one can tell.

        None where others ought to rest, or an exchange of two entries would make the pairs cheaper.
        """
        byes = self.resting(entries, len(entries) % 2, levels)
        playing = sorted(entry for entry in entries if entry not in byes)
        if sorted(entry for pair in pairs for entry in pair) != playing:
            return None
        weighed = costs(self.state, self.remembered, playing, levels)
        found = sorted(sorted(playing.index(entry) for entry in pair) for pair in pairs)
        if total(weighed, improved(weighed, found)) < total(weighed, found):
            return None
        tables = (self.seated(group, [playing[one] for one in pair]) for pair in found)
        return Part(tuple(tables), byes)

    def _searched(
        self, playing: Sequence[str], sizes: Sequence[int], levels: Mapping[str, int] | None
    ) -> Iterator[list[str]]:
        if not sizes:
            return iter(())
        weighed = costs(self.state, self.remembered, playing, levels)
        order = [levels[entry] for entry in playing] if levels else None
        duels = all(size == 2 for size in sizes)
        found = (
            best_pairs(weighed, self.chance) if duels else best_seating(weighed, sizes, self.chance, order)
        )
        return ([playing[one] for one in table] for table in found)

    def resting(
        self, entries: Sequence[str], count: int, levels: Mapping[str, int] | None = None
    ) -> tuple[str, ...]:
        """Return who has a bye: those with fewest so far, then the lowest level, then by lot."""
        byes = self.remembered.byes
        lots = self.chance.shuffled("byes", sorted(entries))
        ordered = sorted(lots, key=lambda entry: (byes[entry], levels[entry] if levels else 0))
        return tuple(ordered[:count])

    def seated(self, group: int, entries: Sequence[str], label: str = "") -> DrawnTable:
        """Return a table with its entries in seat order."""
        return DrawnTable(in_seats(entries, self.remembered, self.chance), group, label)
