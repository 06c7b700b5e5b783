"""Who plays in a stage: every entry, the best of each earlier group, or divisions with promotion."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias, assert_never

from games.engine.messages import Message, plural
from games.engine.refusals import Illegal
from league.core.drawing.sizes import stage_sizes, table_sizes
from league.core.drawing.spreading import snaked
from league.core.standings import ranking
from league.core.standings.ranking import Row
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.plan import Intake


@dataclass(frozen=True)
class Carried:
    """Points that an entry brings into a stage."""

    entry: v.EntryId
    points: v.Points


Groups: TypeAlias = tuple[tuple[str, ...], ...]


def taken_in(state: Competition, number: int) -> tuple[Groups, tuple[Carried, ...]]:
    """Return a stage's groups, best seed first, and the points that entries bring into it.

    Raises `Illegal` where a group is too small for any table.
    """
    plan = state.plans[number - 1]
    groups = _groups(state, number, plan.groups, plan.intake)
    sizes = stage_sizes(state.opening, plan)
    for number_of_group, group in enumerate(groups, 1):
        if not table_sizes(len(group), sizes, plan.table_size):
            raise Illegal(_no_table(len(group), number_of_group))
    return groups, tuple(_carried(state, number, groups, Fraction(plan.intake.carry)))


def by_lots(intake: Intake) -> bool:
    """Return whether lots decide on the groups of a stage."""
    return intake.source == "entries" and intake.seeding == "lots"


def _no_table(entries: int, group: int) -> Message:
    return plural(
        "No table can be made of the %(count)d entry of group %(group)d.",
        "No table can be made of the %(count)d entries of group %(group)d.",
        entries,
        group=group,
    )


def _groups(state: Competition, number: int, count: int, intake: Intake) -> Groups:
    match intake.source:
        case "entries":
            return _divided(_seeded(state, number, intake), count, intake)
        case "best":
            return _divided(list(_best(state, number, intake.best)), count, intake)
        case "promotion":
            return _promoted(state, number, intake)
        case _:
            assert_never(intake.source)


def _present(state: Competition, number: int) -> set[str]:
    """Return the entries that take part when a stage begins."""
    return {
        entry.id for entry in state.entries if entry.status == "entered" and entry.takes_part((number, 1))
    }


def _seeded(state: Competition, number: int, intake: Intake) -> list[str]:
    present = _present(state, number)
    if intake.seeding == "order":
        return [entry.id for entry in state.entries if entry.id in present]
    return list(state.chance.shuffled(f"groups {number}", sorted(present)))


def _divided(seeds: Sequence[str], count: int, intake: Intake) -> Groups:
    """Return groups of even size: seeds spread in snake order, or the best together."""
    size, bigger = divmod(len(seeds), count)
    sizes = [size + (number < bigger) for number in range(count)]
    if intake.divide == "spread":
        return tuple(map(tuple, snaked(seeds, sizes)))
    left = iter(seeds)
    return tuple(tuple(next(left) for _ in range(size)) for size in sizes)


# ---- From the stage before -----------------------------------------------------------------------


def _before(state: Competition, number: int) -> list[list[Row]]:
    """Return the final standings of each group of the stage before, without entries that have left."""
    stage = state.stage_numbered(number - 1)
    present = _present(state, number)
    rows = ranking.standings(state, stage.number)
    return [
        [row for row in rows if row.group == group and row.entry in present]
        for group in range(1, len(stage.groups) + 1)
    ]


def _best(state: Competition, number: int, best: int) -> Iterator[str]:
    """Yield the best of each group: all winners, then all runners-up, and so on.

    With an odd number of groups every second rank begins one group later: otherwise the first round of a
    bracket with two entries from each group would pair a winner with the runner-up of its group.
    """
    groups = _before(state, number)
    for index, rank in enumerate(zip_longest(*(rows[:best] for rows in groups))):
        shift = index % 2 if len(groups) % 2 else 0
        yield from (row.entry for row in (*rank[shift:], *rank[:shift]) if row)


def _promoted(state: Competition, number: int, intake: Intake) -> Groups:
    """Return the divisions, each with relegated entries first, then those that stay, then promoted ones."""
    before = _before(state, number)
    last = len(before) - 1
    divisions: list[list[str]] = [[] for _ in before]
    for division, rows in enumerate(before):
        entries = [row.entry for row in rows]
        up = intake.promoted if division > 0 else 0
        stay = len(entries) - (intake.relegated if division < last else 0)
        divisions[division].extend(entries[up:stay])
        if division > 0:
            divisions[division - 1].extend(entries[:up])
        if division < last:
            divisions[division + 1].extend(entries[max(up, stay) :])
    new = _present(state, number) - {entry for entries in divisions for entry in entries}
    divisions[-1].extend(entry.id for entry in state.entries if entry.id in new)
    return tuple(map(tuple, divisions))


def _carried(state: Competition, number: int, groups: Groups, part: Fraction) -> Iterator[Carried]:
    if part and number > 1:
        points = {row.entry: row.points for row in ranking.standings(state, number - 1)}
        for group in groups:
            for entry in group:
                if entry in points:
                    yield Carried(entry, str(points[entry] * part))
