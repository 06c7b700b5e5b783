"""Who plays in a stage: every entry, the best of each earlier group, or divisions with promotion."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias, assert_never

from games.engine.chance import Chance
from games.engine.messages import Message, plural
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.divisions import Division, members, next_divisions
from league.core.drawing.bracket import PlayOff
from league.core.drawing.drawing import engine_of
from league.core.drawing.sizes import stage_sizes, table_sizes
from league.core.lines import Group, due_play_offs, groups_of, line_of, present, up_and_down
from league.core.standings import ranking
from league.core.state import values as v
from league.core.state.competition import PLAY_OFF, Competition, Stage
from league.core.state.moves import Move
from league.core.state.plan import Intake, StagePlan
from league.core.state.values import Why


@dataclass(frozen=True)
class Carried:
    """Points that an entry brings into a stage."""

    entry: v.EntryId
    points: v.Points


Groups: TypeAlias = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Next:
    """The next stage as it would begin now, or began: its groups, and why each entry is in it or not.

    The groups list the best seed first. ``moves`` are in the order of the groups before and their ranks;
    entries that begin in the first stage, or in one that takes everybody, have none. ``play_offs`` are those
    still to be played: until then lots decide.
    """

    groups: Groups
    moves: tuple[Move, ...]
    play_offs: tuple[PlayOff, ...] = ()


def advancing(state: Competition, number: int) -> Next | None:
    """Return where the entries of a stage go next and why; None where no further stage is planned.

    This is what happened if the next stage has begun, otherwise what would happen with the standings as they
    are now. With number 0 it is the first stage.
    """
    if number < len(state.stages):
        begun = state.stages[number]
        return Next(begun.groups, begun.moves)
    if number >= len(state.plans):
        return None
    groups, moves = _next(state, number + 1)
    if state.stage and not state.stage.lots:
        moves = tuple(replace(move, line="lots_to_come") if move.line == "lots" else move for move in moves)
    return Next(groups, moves, (*due_play_offs(state), *_being_played(state)))


def _being_played(state: Competition) -> Iterator[PlayOff]:
    """Yield the published play-offs that are not over."""
    current = state.current_round
    for table in current.tables if current else ():
        if table.label == PLAY_OFF:
            yield PlayOff(table.group, table.entries)


def taken_in(
    state: Competition, number: int, chance: Chance | None = None
) -> tuple[Groups, tuple[Carried, ...], tuple[Move, ...]]:
    """Return a stage's groups, best seed first, the points that entries bring into it, and why they play.

    Without ``chance``, entries that lots would seed are in the order of entering. Raises `Illegal` where a
    group is too small for any table, or a play-off must be played first.
    """
    plan = state.plans[number - 1]
    if due_play_offs(state):
        raise Illegal("A play-off decides who advances: draw it first.")
    groups, moves = _next(state, number, chance)
    sizes = stage_sizes(state.opening, plan)
    for number_of_group, group in enumerate(groups, 1):
        if not table_sizes(len(group), sizes, plan.table_size):
            raise Illegal(_no_table(len(group), number_of_group))
    return groups, tuple(_carried(state, number, groups, Fraction(plan.intake.carry))), moves


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


def _next(state: Competition, number: int, chance: Chance | None = None) -> tuple[Groups, tuple[Move, ...]]:
    plan = state.plans[number - 1]
    match plan.intake.source:
        case "entries":
            seeds = _seeded(state, number, chance)
            return _divided(state, seeds, plan), _placed(state, seeds)
        case "best":
            moves = _qualifying(state, plan.intake)
            groups = _divided(state, _by_rank(moves, len(state.stages[-1].groups)), plan)
            number_of = {entry: number for number, group in enumerate(groups, 1) for entry in group}
            return groups, tuple(replace(move, group=number_of.get(move.entry, 0)) for move in moves)
        case "promotion":
            moves = _promoted(state, plan.intake)
            return members(moves, plan.groups), moves
        case _:
            assert_never(plan.intake.source)


# ---- Every entry ---------------------------------------------------------------------------------


def _seeded(state: Competition, number: int, chance: Chance | None) -> Sequence[str]:
    here, plan = present(state, number), state.plans[number - 1]
    if chance is None or not by_lots(plan.intake):
        return [entry.id for entry in state.entries if entry.id in here]
    return engine_of(plan).seeds(here, chance)


def _placed(state: Competition, entries: Collection[str]) -> tuple[Move, ...]:
    """Return the moves of those entries that an organiser placed."""
    return tuple(
        Move(each.entry, each.group, "placed", reason=each.reason)
        for each in state.placements
        if each.entry in entries
    )


def _divided(state: Competition, seeds: Sequence[str], plan: StagePlan) -> Groups:
    """Return groups of even size: seeds spread in snake order, or the best together, placed entries apart.

    A placed entry takes a place of its group; in it entries are in the order of their seeds.
    """
    placed = {each.entry: each.group for each in state.placements if each.entry in seeds}
    size, bigger = divmod(len(seeds), plan.groups)
    taken = Counter(placed.values())
    sizes = [size + (number < bigger) - taken[number + 1] for number in range(plan.groups)]
    groups = _filled([entry for entry in seeds if entry not in placed], sizes, plan)
    for entry, group in placed.items():
        groups[group - 1].append(entry)
    return tuple(tuple(sorted(group, key=seeds.index)) for group in groups)


def _filled(seeds: Sequence[str], sizes: Sequence[int], plan: StagePlan) -> list[list[str]]:
    """Return the seeds in groups of the sizes; where one is below 0 the others are smaller from the end."""
    left = [max(size, 0) for size in sizes]
    while sum(left) > len(seeds):
        left[max(range(len(left)), key=lambda index: (left[index], index))] -= 1
    if plan.intake.divide == "spread":
        return engine_of(plan).spread(seeds, left)
    rest = iter(seeds)
    return [[next(rest) for _ in range(size)] for size in left]


# ---- The best of each group ----------------------------------------------------------------------


def _qualifying(state: Competition, intake: Intake) -> tuple[Move, ...]:
    """Return who qualifies and who does not, group by group, and the entries that an organiser placed."""
    stage = state.stages[-1]
    moves: dict[str, Move] = {}
    for group in groups_of(state, stage):
        line = line_of(state, stage, group, intake.best)
        for entry, rank in group.ranks.items():
            why: Why = "qualified" if entry in line.through else "out"
            decided = line.decided.get(entry, "")
            level = len(line.level) - 1 if decided else 0
            moves[entry] = Move(entry, int(why == "qualified"), why, group.number, rank, decided, level)
    for each in _placed(state, present(state, stage.number + 1)):
        before = moves.get(each.entry, each)
        moves[each.entry] = replace(each, before=before.before, rank=before.rank)
    return tuple(moves.values())


def _by_rank(moves: Sequence[Move], count: int) -> list[str]:
    """Return those who play on by rank: all winners, then all runners-up, and so on, then newcomers.

    With an odd number of groups every second rank begins one group later: otherwise the first round of a
    bracket with two entries from each group would pair a winner with the runner-up of its group.
    """
    on = [move for move in moves if move.group]
    groups = [[move.entry for move in on if move.before == group] for group in range(1, count + 1)]
    order: list[str] = []
    for index, rank in enumerate(zip_longest(*groups)):
        shift = index % 2 if len(groups) % 2 else 0
        order += [entry for entry in (*rank[shift:], *rank[:shift]) if entry]
    return order + [move.entry for move in on if not move.before]


# ---- Promotion and relegation --------------------------------------------------------------------


def _promoted(state: Competition, intake: Intake) -> tuple[Move, ...]:
    stage = state.stages[-1]
    groups = groups_of(state, stage)
    divisions = [_division(state, stage, group, intake) for group in groups]
    known = {entry for group in groups for entry in group.ranks}
    here = present(state, stage.number + 1)
    new = [entry.id for entry in state.entries if entry.id in here and entry.id not in known]
    placements = {each.entry: each for each in state.placements}
    return next_divisions(divisions, new, placements, intake.fill)


def _division(state: Competition, stage: Stage, group: Group, intake: Intake) -> Division:
    lines = {
        which: line_of(state, stage, group, places)
        for which, places in up_and_down(intake, group, len(stage.groups)).items()
    }
    last = group.number == len(stage.groups)
    size = dict(enumerate(intake.sizes, 1)).get(group.number, stage.sizes[group.number - 1])
    return Division(group.ranks, lines.get("up"), lines.get("down"), None if last else size)


def _carried(state: Competition, number: int, groups: Groups, part: Fraction) -> Iterator[Carried]:
    if part and number > 1:
        points = {row.entry: row.points for row in ranking.standings(state, number - 1)}
        for group in groups:
            for entry in group:
                if entry in points:
                    yield Carried(entry, str(points[entry] * part))
