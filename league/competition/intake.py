"""Who plays in a stage: everybody, the best of each group before, or divisions that rise and fall."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias, assert_never

from games.engine.refusals import Illegal
from league import ranking
from league.competition.events import Carried, Intake
from league.competition.state import Competition
from league.formats.knockout import snaked
from league.formats.sizes import stage_sizes, table_sizes
from league.ranking import Row

Groups: TypeAlias = tuple[tuple[str, ...], ...]


def taken_in(state: Competition, number: int) -> tuple[Groups, tuple[Carried, ...]]:
    """Return a stage's groups, best seed first, and the points that entries carry into it.

    Raises `Illegal` where a group is too small for any table.
    """
    plan = state.plans[number - 1]
    groups = _groups(state, number, plan.groups, plan.intake)
    sizes = stage_sizes(state.opening, plan)
    for at, group in enumerate(groups, 1):
        if not table_sizes(len(group), sizes, plan.table_size):
            raise Illegal(f"No table can be made of the {len(group)} entries of group {at}.")
    return groups, tuple(_carried(state, number, groups, Fraction(plan.intake.carry)))


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


def _here(state: Competition, number: int) -> set[str]:
    """Return who takes part when a stage begins."""
    return {
        entry.id for entry in state.entries if entry.status == "entered" and entry.takes_part((number, 1))
    }


def _seeded(state: Competition, number: int, intake: Intake) -> list[str]:
    here = _here(state, number)
    if intake.seeding == "order":
        return [entry.id for entry in state.entries if entry.id in here]
    return list(state.chance.shuffled(f"groups {number}", sorted(here)))


def _divided(seeds: Sequence[str], count: int, intake: Intake) -> Groups:
    """Return groups as even as can be: seeds spread to and fro, or the best together."""
    short, longer = divmod(len(seeds), count)
    sizes = [short + (at < longer) for at in range(count)]
    if intake.divide == "spread":
        return tuple(map(tuple, snaked(seeds, sizes)))
    left = iter(seeds)
    return tuple(tuple(next(left) for _ in range(size)) for size in sizes)


# ---- From the stage before -----------------------------------------------------------------------


def _before(state: Competition, number: int) -> list[list[Row]]:
    """Return the last standings of each group of the stage before, without those who are gone."""
    stage = state.stage_numbered(number - 1)
    here = _here(state, number)
    rows = ranking.standings(state, stage.number)
    return [
        [row for row in rows if row.group == group and row.entry in here]
        for group in range(1, len(stage.groups) + 1)
    ]


def _best(state: Competition, number: int, best: int) -> Iterator[str]:
    """Yield the best of each group: all the winners, then all the runners-up, and so on.

    With an odd number of groups every second set begins one group later, so that a bracket of two from each
    group does not bring a winner back to its own runner-up in the first round.
    """
    groups = _before(state, number)
    for at, rank in enumerate(zip_longest(*(rows[:best] for rows in groups))):
        turn = at % 2 if len(groups) % 2 else 0
        yield from (row.entry for row in (*rank[turn:], *rank[:turn]) if row)


def _promoted(state: Competition, number: int, intake: Intake) -> Groups:
    """Return the divisions: who came down, who stayed, who came up; newcomers at the bottom."""
    before = _before(state, number)
    last = len(before) - 1
    divisions: list[list[str]] = [[] for _ in before]
    for at, rows in enumerate(before):
        entries = [row.entry for row in rows]
        up = intake.promoted if at > 0 else 0
        stay = len(entries) - (intake.relegated if at < last else 0)
        divisions[at].extend(entries[up:stay])
        if at > 0:
            divisions[at - 1].extend(entries[:up])
        if at < last:
            divisions[at + 1].extend(entries[max(up, stay) :])
    known = {entry for division in divisions for entry in division}
    newcomers = [entry.id for entry in state.entries if entry.id in _here(state, number) - known]
    divisions[-1].extend(newcomers)
    return tuple(map(tuple, divisions))


def _carried(state: Competition, number: int, groups: Groups, part: Fraction) -> Iterator[Carried]:
    if part and number > 1:
        points = {row.entry: row.points for row in ranking.standings(state, number - 1)}
        for group in groups:
            for entry in group:
                if entry in points:
                    yield Carried(entry, str(points[entry] * part))
