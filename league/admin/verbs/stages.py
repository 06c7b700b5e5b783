"""Forms about a stage: a preview of the next one, and the description of a further one."""

from collections.abc import Mapping, Sequence
from typing import Any

from league.admin.next_stage import preview_next_stage
from league.admin.stage_form import StageForm, next_season
from league.admin.verbs.base import VerbForm


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
            sizes=(2, max(self.state.opening.seats)),
            initial=None,
            partners=self._partners(),
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
