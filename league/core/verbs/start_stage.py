"""Start the next stage."""

from dataclasses import replace
from fractions import Fraction
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Length
from league.core import intake
from league.core.events import Event
from league.core.intake import Carried
from league.core.state import values as v
from league.core.state.checks import refuse_unless_running, refuse_with_tables_to_come
from league.core.state.competition import Competition, Stage
from league.core.state.moves import Move
from league.core.verb import RUNNING, Button, Events, Given, Verb


class StageStarted(Event, type="stage_started"):
    """A stage begins, with its groups, best seed first, and the points that entries bring into it."""

    text = "Stage %(stage)s begins."
    stage: v.Count
    groups: Annotated[tuple[v.Entries, ...], Length(1, 100)]
    carried: Annotated[tuple[Carried, ...], Length(0, v.MAX_ENTRIES)] = ()
    moves: Annotated[
        tuple[Move, ...], Length(0, v.MAX_ENTRIES), Help("why entries of the stage before are in it or not")
    ] = ()

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        if self.stage != len(state.stages) + 1 or self.stage > len(state.plans):
            raise Illegal(text("Stage %(stage)d is not the next one.", stage=self.stage))
        if state.stage and state.stage.open_round:
            raise Illegal("A round of the stage before is still open.")
        refuse_with_tables_to_come(state)
        placed = [entry for group in self.groups for entry in group]
        known = {entry.id for entry in state.entries}
        if len({*placed}) != len(placed) or not {*placed} <= known:
            raise Illegal("The groups must hold entries of the competition, each only once.")
        carried = tuple((each.entry, Fraction(each.points)) for each in self.carried)
        if {entry for entry, _ in carried} - {*placed}:
            raise Illegal("Only an entry of the stage can bring points into it.")
        stage = Stage(
            number=self.stage,
            plan=state.plans[self.stage - 1],
            groups=self.groups,
            carried=carried,
            moves=self.moves,
            sizes=tuple(map(len, self.groups)),
            placements=state.placements,
        )
        return replace(state, stages=(*state.stages, stage), placements=())


def next_stage(state: Competition) -> StageStarted:
    """Return the event that starts the next stage; raise `Illegal` where there is none."""
    number = len(state.stages) + 1
    if number > len(state.plans):
        raise Illegal("There is no further stage.")
    return StageStarted(number, *intake.taken_in(state, number))


class StartStage(Verb, key="start-stage"):
    """Start the next stage, with the entries that qualify for it. `start` starts the first one.

    Refused if there is no further stage, a round is open, or a group is too small for a table.
    """

    taken_back_by = ("take-back-stage",)
    start_stage = Button(
        "Start the next stage",
        "The stage begins with the entries shown here. After that you can draw its rounds.",
        "“Take back the start of the stage” works until its first round is published.",
        statuses=RUNNING,
        steps=("start_stage",),
    )

    @classmethod
    def draws(cls, state: Competition) -> bool:
        number = len(state.stages) + 1
        return number <= len(state.plans) and intake.by_lots(state.plans[number - 1].intake)

    def decide(self, state: Competition, given: Given) -> Events:
        return (next_stage(state),)
