"""Who would play in a competition's next stage, before it begins: who goes on, up, down or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.engine.refusals import Refusal
from league.competition import commands
from league.competition.state import Competition as State

Way = Literal["up", "down", "stays", "new"]


@dataclass(frozen=True)
class Going:
    """An entry of the next stage: how it got there (`Way`), and its group before, 0 for a newcomer."""

    name: str
    way: Way
    before: int


@dataclass(frozen=True)
class Following:
    """The next stage: its name, its groups in order, who is left behind; or why it cannot begin."""

    name: str
    divisions: bool
    groups: tuple[tuple[Going, ...], ...] = ()
    left: tuple[str, ...] = ()
    refused: str = ""


def following_groups(state: State) -> Following | None:
    """Return the next stage as it would begin now, None where there is none."""
    number = len(state.stages) + 1
    if number > len(state.plans):
        return None
    plan = state.plans[number - 1]
    divisions = plan.intake.source == "promotion"
    try:
        (started,) = commands.start_stage(state)
    except Refusal as refusal:
        return Following(plan.name, divisions, refused=refusal.sentence)
    return _following(state, plan.name, divisions, started.groups)  # type: ignore[union-attr]


def _following(state: State, name: str, divisions: bool, groups: tuple[tuple[str, ...], ...]) -> Following:
    names = {entry.id: entry.name for entry in state.entries}
    before = _groups_before(state)
    shown = tuple(
        tuple(_going(names[entry], before.get(entry, 0), at, divisions) for entry in group)
        for at, group in enumerate(groups, 1)
    )
    placed = {entry for group in groups for entry in group}
    return Following(name, divisions, shown, tuple(names[entry] for entry in before if entry not in placed))


def _going(name: str, before: int, now: int, divisions: bool) -> Going:
    way: Way = "new" if not before else "stays"
    if divisions and before and before != now:
        way = "up" if now < before else "down"
    return Going(name, way, before)


def _groups_before(state: State) -> Mapping[str, int]:
    """Return the group that each entry of the last stage was in."""
    groups = enumerate(state.stage.groups if state.stage else (), 1)
    return {entry: at for at, group in groups for entry in group}
