"""What most formats share: tables of least cost, byes for those who had fewest, seats that go round."""

from collections.abc import Mapping, Sequence

from games.engine.chance import Chance
from league.competition.state import Competition, Stage
from league.formats.base import DrawnTable
from league.formats.cost import costs
from league.formats.history import History
from league.formats.pairing import best_pairs
from league.formats.seating import best_seating
from league.formats.seats import in_seats
from league.formats.sizes import stage_sizes, table_sizes


def least_cost(
    state: Competition,
    stage: Stage,
    remembered: History,
    group: int,
    entries: Sequence[str],
    chance: Chance,
    levels: Mapping[str, int] | None = None,
) -> tuple[list[DrawnTable], tuple[str, ...]]:
    """Return a group's tables and byes.

    ``levels`` are standings as whole numbers: with them equals meet, and byes go to the lowest. Raises
    `Illegal` where the game has no table for so few.
    """
    sizes = table_sizes(len(entries), stage_sizes(state.opening, stage.plan), stage.plan.table_size)
    byes = resting(remembered, entries, len(entries) - sum(sizes), chance, levels)
    playing = sorted(entry for entry in entries if entry not in byes)
    weighed = costs(state, remembered, playing, levels)
    order = [levels[entry] for entry in playing] if levels else None
    duels = all(size == 2 for size in sizes)
    found = best_pairs(weighed, chance) if duels else best_seating(weighed, sizes, chance, order)
    tables = [[playing[one] for one in table] for table in found]
    return [DrawnTable(in_seats(table, remembered, chance), group) for table in tables], byes


def resting(
    remembered: History,
    entries: Sequence[str],
    count: int,
    chance: Chance,
    levels: Mapping[str, int] | None = None,
) -> tuple[str, ...]:
    """Return who has a bye: those with fewest so far, then the lowest level, then by lot."""
    lots = chance.shuffled("byes", sorted(entries))
    ordered = sorted(lots, key=lambda entry: (remembered.byes[entry], levels[entry] if levels else 0))
    return tuple(ordered[:count])
