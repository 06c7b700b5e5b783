"""Finish: the competition ends with its present standings."""

from dataclasses import dataclass, replace

from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state.competition import Competition
from league.core.verb import RUNNING, Button, Verb


@dataclass(frozen=True)
class Finished(Event, type="finished"):
    """The standings are final."""

    text = "The competition is over."
    webhook = "competition_finished"

    def apply(self, state: Competition) -> Competition:
        if state.status != "running":
            raise Illegal("Only a running competition can be finished.")
        if state.stage and state.stage.open_round:
            raise Illegal("A round is still open.")
        return replace(state, status="finished")


@dataclass(frozen=True)
class FinishCompetition(Verb, key="finish"):
    """Finish the competition; its standings become final."""

    event = Finished
    finish = Button(
        "Finish",
        "The standings become final, and no result can be changed any more.",
        "This can’t be undone.",
        statuses=RUNNING,
        steps=("finish", "start_stage", "draw"),
        danger=True,
    )
