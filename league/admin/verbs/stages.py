"""Forms about a stage: a preview of the next one, with who would play in it, and a further one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from games.engine.refusals import Refusal
from league.admin.stage_form import StageForm, next_season
from league.admin.verbs.base import VerbForm
from league.core.intake import advancing, by_lots
from league.core.state.competition import Competition as State
from league.core.state.stages import Move, sentence
from league.core.verbs.stages import next_stage
from league.words.messages import translated

# ---- Next stage ----------------------------------------------------------------------------------

Movement = Literal["up", "down", "stays", "new"]


@dataclass(frozen=True)
class Qualifier:
    """An entry that plays in the next stage or not: how it moves, its group before (0: none), and why."""

    name: str
    movement: Movement
    before: int
    why: str


@dataclass(frozen=True)
class StagePreview:
    """The next stage: its groups in order, who is left out, who plays off first; or why it can't begin."""

    name: str
    divisions: bool
    groups: tuple[tuple[Qualifier, ...], ...] = ()
    left: tuple[Qualifier, ...] = ()
    play_offs: tuple[str, ...] = ()
    refused: str = ""
    by_lot: bool = False


def preview_next_stage(state: State) -> StagePreview | None:
    """Return the next stage as it would begin now, None where there is none."""
    plan = state.next_plan
    found = advancing(state, len(state.stages))
    if plan is None or found is None:
        return None
    names = {entry.id: entry.name for entry in state.entries}
    play_offs = tuple(", ".join(names[entry] for entry in each.entries) for each in found.play_offs)
    divisions = plan.intake.source == "promotion"
    refused = _refusal(state)
    if refused:
        return StagePreview(plan.name, divisions, play_offs=play_offs, refused=refused)
    moves = {move.entry: move for move in found.moves}
    groups = tuple(
        tuple(_qualifier(names[entry], moves.get(entry), number, divisions) for entry in group)
        for number, group in enumerate(found.groups, 1)
    )
    left = _left(names, found.moves)
    return StagePreview(plan.name, divisions, groups, left, play_offs, by_lot=by_lots(plan.intake))


def _refusal(state: State) -> str:
    try:
        next_stage(state)
    except Refusal as refusal:
        return translated(refusal.sentence)
    return ""


def _left(names: Mapping[str, str], moves: Sequence[Move]) -> tuple[Qualifier, ...]:
    return tuple(_qualifier(names[move.entry], move, 0, divisions=False) for move in moves if not move.group)


def _qualifier(name: str, move: Move | None, now: int, divisions: bool) -> Qualifier:
    if move is None:
        return Qualifier(name, "stays", 0, "")
    movement: Movement = "stays" if move.before else "new"
    if divisions and move.before and move.before != now:
        movement = "up" if now < move.before else "down"
    return Qualifier(name, movement, move.before, translated(sentence(move)))


# ---- Stages --------------------------------------------------------------------------------------


class StartStageForm(VerbForm):
    """A preview of the next stage and its entries."""

    part = "admin/competition_next_stage.html"

    def offer(self) -> None:
        """Compute the preview, which says why where the stage can't begin."""
        self.preview = preview_next_stage(self.state)


class AddStageForm(VerbForm):
    """A further stage, with the settings of the last one."""

    part = "admin/competition_season.html"

    def offer(self) -> None:
        """Create the form of the stage."""
        plans = self.state.plans
        self.stage = StageForm(
            self.data if self.is_bound else None,
            plan=next_season(plans[-1]),
            number=len(plans),
            sizes=self.state.opening.seats,
            initial=None,
            partners=self._partners(),
            clubs=[self.competition.club],
        )

    def is_valid(self) -> bool:
        """Return whether the form and its stage are valid."""
        return super().is_valid() and self.stage.is_valid() and self.stage.seats(self._partners())

    def values(self) -> dict[str, Any]:
        return {"stage": self.stage.plan_json(self._partners())}

    def _partners(self) -> int:
        opening = self.state.opening
        return opening.team_size if opening.lineup == "partners" else 1

    def refuse(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Add a service's errors to the fields that they name."""
        self.stage.show({path.removeprefix("stage."): list(each) for path, each in errors.items()})
