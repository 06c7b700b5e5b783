"""The lines of a stage: who is level on the last place that counts, and who has to play off for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from league.core.drawing import bracket
from league.core.drawing.bracket import PlayOff
from league.core.line import Line, line_at
from league.core.standings import ranking
from league.core.standings.rows import Placed
from league.core.standings.tie_breaks import EXPELLED, LOT, PLACEMENT, POINTS
from league.core.state.competition import Competition, Stage
from league.core.state.plan import Intake
from league.core.state.values import Decider


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
