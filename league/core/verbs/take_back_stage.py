"""Take back the start of a stage of which nothing is published."""

from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import begun_stage, refuse_unless_under_way
from league.core.state.competition import Competition, Stage
from league.core.state.updates import discarded
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb
from league.core.verbs.pause import held


class StageTakenBack(Event, type="stage_taken_back"):
    """A stage of which no round is published has not begun; a draw of its first round is discarded."""

    title = "Start of a stage taken back"
    found_by = "undone"
    text = "The start of %(stage)s is taken back."
    stage: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        stage = begun_stage(state)
        if stage.number != self.stage or self.stage == 1:
            raise Illegal(text("The start of stage %(stage)d cannot be taken back.", stage=self.stage))
        refuse_shown(stage)
        state = discarded(state, self.reason)
        return replace(state, stages=state.stages[:-1], placements=stage.placements)


def refuse_shown(stage: Stage) -> None:
    """Raise `Illegal` where the stage has published rounds."""
    if stage.shown_rounds:
        raise Illegal(
            plural(
                "%(count)d published round of stage %(stage)d would be lost.",
                "%(count)d published rounds of stage %(stage)d would be lost.",
                len(stage.shown_rounds),
                stage=stage.number,
            )
        )


class TakeBackStage(Verb, key="take-back-stage"):
    """Take back the start of the current stage, as long as none of its rounds is published.

    The stage before can then be corrected. With the automatic pace the competition is paused too.
    """

    taken_back_by = ("start-stage",)
    take_back_stage = Button(
        "Take back the start of the stage",
        "The stage has not begun; an unpublished draw is discarded. The stage before can be corrected.",
        "Start the stage again.",
        statuses=UNDER_WAY,
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        stage = state.stage
        return stage is not None and stage.number > 1 and not stage.shown_rounds

    def decide(self, state: Competition, given: Given) -> Events:
        return StageTakenBack(begun_stage(state).number, self.reason), *held(state, self.reason)
