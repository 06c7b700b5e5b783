"""Add a stage after the last one."""

from typing import Annotated

from games.engine import shapes
from games.engine.refusals import below
from games.engine.shapes import Help
from games.engine.values import replace
from league.core import editions
from league.core.events import Event
from league.core.plans import check_plan
from league.core.state.competition import Competition
from league.core.state.plan import AnnouncedPlan, StagePlan
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb


class StageAdded(Event, type="stage_added"):
    """Another stage follows the last one, such as a league's next season."""

    title = "Stage or season added"
    found_by = "new stage, next season"
    text = "Another stage is added: %(stage)s."
    stage: StagePlan

    def apply(self, state: Competition) -> Competition:
        editions.check(self.stage)
        return replace(state, plans=(*state.plans, self.stage))


def read_plan(stage: object) -> StagePlan:
    """Return the plan in a stage's JSON, in which ``params`` may be missing; raise `Malformed`."""
    return shapes.read(StagePlan, {"params": {}, **stage} if isinstance(stage, dict) else stage)


def checked(state: Competition, plan: StagePlan) -> StagePlan:
    """Return the plan of a further stage with its editions; raise `Malformed` where it does not fit."""
    check_plan(state.opening, plan, state.plans[-1])
    return editions.named(plan)


class AddStage(Verb, key="add-stage"):
    """Announce another stage after the last one, such as a league's next season.

    `start-stage` starts it; with the automatic pace it starts by itself.
    """

    taken_back_by = ("remove-stage",)
    add_stage = Button(
        "Add a stage or season",
        "Another stage follows the last one, for example a league’s next season.",
        "“Remove the last stage” works until it begins.",
        statuses=UNDER_WAY,
        asks=("stage",),
    )

    stage: Annotated[AnnouncedPlan, Help("like the stages of an opening; see the guide for clients")]

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.started

    def decide(self, state: Competition, given: Given) -> Events:
        with below("stage"):
            return (StageAdded(checked(state, read_plan(self.stage))),)
