"""Who plays in a stage: every entry, the best of each earlier group, or divisions with promotion."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias, assert_never

from games.engine.chance import Chance
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.drawing import bracket
from league.core.drawing.bracket import PlayOff
from league.core.drawing.draw import stage_sizes, table_sizes
from league.core.drawing.drawing import engine_of
from league.core.drawing.pots import doubling_pots, even_groups, even_pots, first_pairs, from_pots
from league.core.lines import Division, Line, line_at, members, next_divisions
from league.core.standings import ranking
from league.core.standings.rows import Placed
from league.core.standings.tie_breaks import EXPELLED, LOT, PLACEMENT, POINTS
from league.core.state import values as v
from league.core.state.competition import PLAY_OFF, Competition, Stage
from league.core.state.plan import Intake, StagePlan
from league.core.state.stages import Move
from league.core.state.values import Decider, Why


@dataclass(frozen=True)
class Group:
    """A group after its rounds: its entries that may play on, by rank, and in classes of level ones."""

    number: int
    ranks: Mapping[str, int]
    classes: tuple[tuple[str, ...], ...]


def groups_of(state: Competition, stage: Stage) -> tuple[Group, ...]:
    """Return the groups of a stage as its standings are now, without entries that have left.

    Entries are level if only lots separate them or, where the stage says so, if they have equal points.
    """
    accounts = ranking.accounts_of(state, stage, len(stage.rounds))
    staying = present(state, stage.number + 1)
    groups: list[Group] = []
    for number, entries in enumerate(stage.groups, 1):
        placed = ranking.ordered(accounts, entries, ranking.criteria(stage))
        ranks = {each.entry: rank for rank, each in enumerate(placed, 1) if each.entry in staying}
        classes = [tuple(e for e in level if e in staying) for level in _levels(stage, placed)]
        groups.append(Group(number, ranks, tuple(level for level in classes if level)))
    return tuple(groups)


def present(state: Competition, number: int) -> frozenset[str]:
    """Return the entries that take part when a stage begins."""
    return frozenset(
        entry.id for entry in state.entries if entry.status == "entered" and entry.takes_part((number, 1))
    )


def _levels(stage: Stage, placed: Sequence[Placed]) -> Iterator[list[str]]:
    """Yield the entries in order, those that are level at a line together."""
    level: list[str] = []
    for each in placed:
        if level and each.divide and _separates(stage, each.divide.criterion.key):
            yield level
            level = []
        level.append(each.entry)
    if level:
        yield level


def _separates(stage: Stage, criterion: str) -> bool:
    if stage.plan.line_level == "points":
        return criterion in (EXPELLED.key, PLACEMENT.key, POINTS.key)
    return criterion != LOT.key


# ---- The lines -----------------------------------------------------------------------------------


def line_of(state: Competition, stage: Stage, group: Group, places: int) -> Line:
    """Return the line of a group after so many places, decided as the stage says."""
    otherwise: Decider = "lots" if stage.plan.line_level == "tie_breaks" else "tie_breaks"
    return line_at(
        group.classes,
        places,
        stage.plan.line,
        seeds=stage.groups[group.number - 1],
        play_offs=bracket.play_off_ranks(state, stage, _last_counted(stage)),
        otherwise=otherwise,
    )


def places_of(intake: Intake, group: Group, groups: int) -> tuple[int, ...]:
    """Return after how many places a group has a line, for the next stage's intake.

    Of divisions: after those promoted, and before those relegated, who are not promoted as well.
    """
    match intake.source:
        case "best":
            return (intake.best,)
        case "promotion":
            return tuple(up_and_down(intake, group, groups).values())
        case _:
            return ()


def up_and_down(intake: Intake, group: Group, groups: int) -> Mapping[str, int]:
    """Return how many of a division are promoted (``up``) and how many are not relegated (``down``)."""
    up = intake.promoted if group.number > 1 else 0
    places = {"up": up} if group.number > 1 else {}
    if group.number < groups:
        places["down"] = max(up, len(group.ranks) - intake.relegated)
    return places


def due_play_offs(state: Competition) -> tuple[PlayOff, ...]:
    """Return the play-offs that the current stage needs before the next one begins.

    There are none while a table is put off. Entries play off once, at one table: lots decide where the game
    has no table for as many, and where the play-off leaves them level or is void.
    """
    stage = state.stage
    if stage is None or stage.plan.line != "play_off" or stage.number >= len(state.plans):
        return ()
    intake = state.plans[stage.number].intake
    if intake.source == "entries" or stage.to_come():
        return ()
    groups = groups_of(state, stage)
    ties = [
        PlayOff(group.number, tuple(sorted(level, key=stage.entries.index)))
        for group in groups
        for level in _ties(group, places_of(intake, group, len(groups)))
    ]
    return bracket.due_play_offs(state, stage, ties, _last_counted(stage))


def _last_counted(stage: Stage) -> int:
    """Return the number of the last round of a stage that is not a play-off, 0 for none."""
    return max((each.number for each in stage.rounds if not each.play_off), default=0)


def _ties(group: Group, places: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the classes that a line divides, each once."""
    ties: list[tuple[str, ...]] = []
    before = 0
    for level in group.classes:
        if any(before < each < before + len(level) for each in places):
            ties.append(level)
        before += len(level)
    return ties


# ---- The next stage ------------------------------------------------------------------------------


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
    undrawn: bool = False
    """Whether lots decide on its groups when it starts; until then all are in one."""


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
    play_offs, plan = (*due_play_offs(state), *_being_played(state)), state.plans[number]
    if plan.groups > 1 and plan.intake.source == "best" and by_lots(plan.intake):
        return Next((tuple(entry for group in groups for entry in group),), moves, play_offs, undrawn=True)
    return Next(groups, moves, play_offs)


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
    """Return whether lots decide on the groups of a stage, or on the order in them at the start."""
    return seeded_by_lots(intake) or (intake.source != "promotion" and intake.divide in ("pots", "lots"))


def seeded_by_lots(intake: Intake) -> bool:
    """Return whether lots alone are the seeds of a stage."""
    return intake.source == "entries" and intake.seeding == "lots"


def drawn_groups(plan: StagePlan) -> Iterator[Message]:
    """Yield how lots decide on the groups of a stage, or the order at its start, in a sentence."""
    if seeded_by_lots(plan.intake) or not by_lots(plan.intake):
        return
    of_groups, out_of_pots = plan.groups > 1, plan.intake.divide == "pots"
    if out_of_pots and of_groups:
        yield text("Groups are drawn out of pots: one of each pot of like seeds comes into every group.")
    elif out_of_pots:
        yield text("The order at the start is drawn out of pots of like seeds.")
    elif of_groups:
        yield text("Groups are drawn by lot.")
    else:
        yield text("The order at the start is drawn by lot.")


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
            return _divided(state, seeds, plan, chance), _placed(state, seeds)
        case "best":
            moves = _qualifying(state, plan.intake)
            groups = _divided(state, _by_rank(moves, len(state.stages[-1].groups)), plan, chance)
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
    if seeded_by_lots(plan.intake) and chance is not None:
        return engine_of(plan).seeds(here, chance)
    as_entered = [entry.id for entry in state.entries if entry.id in here]
    return as_entered if seeded_by_lots(plan.intake) else in_seed_order(state, number, as_entered)


def in_seed_order(state: Competition, number: int, entries: Sequence[str]) -> list[str]:
    """Return entries in the order of the seeds of a stage; those without one follow in their own order."""
    seeds = state.seeds.entries if state.seeds.stage == number else ()
    first = [entry for entry in seeds if entry in entries]
    return [*first, *(entry for entry in entries if entry not in first)]


def _placed(state: Competition, entries: Collection[str]) -> tuple[Move, ...]:
    """Return the moves of those entries that an organiser placed."""
    return tuple(
        Move(each.entry, each.group, "placed", reason=each.reason)
        for each in state.placements
        if each.entry in entries
    )


def _divided(state: Competition, seeds: Sequence[str], plan: StagePlan, chance: Chance | None) -> Groups:
    """Return groups of even size: seeds spread in snake order, or the best together, placed entries apart.

    A placed entry takes a place of its group; in it entries are in the order of their seeds. Where lots
    decide, those who are not placed change places before.
    """
    placed = {each.entry: each.group for each in state.placements if each.entry in seeds}
    if chance is not None and by_lots(plan.intake) and not seeded_by_lots(plan.intake):
        drawn = iter(_drawn(state, [entry for entry in seeds if entry not in placed], plan, chance))
        seeds = [entry if entry in placed else next(drawn) for entry in seeds]
    taken = Counter(placed.values())
    even = even_groups(len(seeds), plan.groups)
    sizes = [size - taken[number] for number, size in enumerate(even, 1)]
    groups = _filled([entry for entry in seeds if entry not in placed], sizes, plan)
    if by_lots(plan.intake):
        groups = engine_of(plan).grouped(groups, state.wishes.between)
    for entry, group in placed.items():
        groups[group - 1].append(entry)
    return tuple(tuple(sorted(group, key=seeds.index)) for group in groups)


def _drawn(state: Competition, seeds: Sequence[str], plan: StagePlan, chance: Chance) -> Sequence[str]:
    """Return seeds as lots change them, within their pots; who comes from one group meets late."""
    stages = state.stages[-1:] if plan.intake.source == "best" else ()
    before = {entry: number for each in stages for number, group in enumerate(each.groups) for entry in group}
    many = plan.groups if plan.groups > 1 else len({*before.values()})
    if plan.intake.divide == "lots":
        sizes = [len(seeds)]
    else:
        sizes = even_pots(len(seeds), many) if many > 1 else doubling_pots(len(seeds))
    dealt = even_groups(len(seeds), plan.groups)

    def meeting(order: Sequence[str]) -> Iterator[Sequence[str]]:
        return iter(engine_of(plan).spread(order, dealt)) if plan.groups > 1 else first_pairs(order)

    return from_pots(seeds, sizes, before, meeting, chance) if seeds else ()


def _filled(seeds: Sequence[str], sizes: Sequence[int], plan: StagePlan) -> list[list[str]]:
    """Return the seeds in groups of the sizes; where one is below 0 the others are smaller from the end."""
    left = [max(size, 0) for size in sizes]
    while sum(left) > len(seeds):
        left[max(range(len(left)), key=lambda index: (left[index], index))] -= 1
    if plan.intake.divide == "stack":
        rest = iter(seeds)
        return [[next(rest) for _ in range(size)] for size in left]
    return engine_of(plan).spread(seeds, left)


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
