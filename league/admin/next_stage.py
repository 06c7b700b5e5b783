"""Who would play in a competition's next stage: who qualifies, who moves up or down, who is left out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.engine.refusals import Refusal
from league.core.state.competition import Competition as State
from league.core.verbs.start_stage import next_stage
from league.words.messages import translated

Movement = Literal["up", "down", "stays", "new"]


@dataclass(frozen=True)
class Qualifier:
    """An entry of the next stage, how it moves, and its group before; 0 for a newcomer."""

    name: str
    movement: Movement
    before: int


@dataclass(frozen=True)
class StagePreview:
    """The next stage: its name, its groups in order, who is left out; or why it can't begin."""

    name: str
    divisions: bool
    groups: tuple[tuple[Qualifier, ...], ...] = ()
    left: tuple[str, ...] = ()
    refused: str = ""


def preview_next_stage(state: State) -> StagePreview | None:
    """Return the next stage as it would begin now, None where there is none."""
    number = len(state.stages) + 1
    if number > len(state.plans):
        return None
    plan = state.plans[number - 1]
    divisions = plan.intake.source == "promotion"
    try:
        groups = next_stage(state).groups
    except Refusal as refusal:
        return StagePreview(plan.name, divisions, refused=translated(refusal.sentence))
    return _preview(state, plan.name, divisions, groups)


def _preview(state: State, name: str, divisions: bool, groups: tuple[tuple[str, ...], ...]) -> StagePreview:
    names = {entry.id: entry.name for entry in state.entries}
    before = _groups_before(state)
    qualifiers = tuple(
        tuple(_qualifier(names[entry], before.get(entry, 0), number, divisions) for entry in group)
        for number, group in enumerate(groups, 1)
    )
    qualified = {entry for group in groups for entry in group}
    left = tuple(names[entry] for entry in before if entry not in qualified)
    return StagePreview(name, divisions, qualifiers, left)


def _qualifier(name: str, before: int, now: int, divisions: bool) -> Qualifier:
    movement: Movement = "stays" if before else "new"
    if divisions and before and before != now:
        movement = "up" if now < before else "down"
    return Qualifier(name, movement, before)


def _groups_before(state: State) -> Mapping[str, int]:
    """Return the group number of each entry of the last stage."""
    groups = enumerate(state.stage.groups if state.stage else (), 1)
    return {entry: number for number, group in groups for entry in group}
