"""Finish: the competition ends with its present standings."""

from collections.abc import Iterator, Sequence

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import formats
from league.core.course import next_step
from league.core.events import AND_SERVER, Event
from league.core.standings.levels import Level, levels_of, lots_to_draw
from league.core.state.checks import refuse_with_tables_to_come, tables_to_come
from league.core.state.competition import Competition, Stage
from league.core.verb import RUNNING, Button, Caution, Events, Given, Verb
from league.core.verbs.cut_off import lots_events


class Finished(Event, type="finished"):
    """The standings are final."""

    title = "Competition finished"
    found_by = "end, over, final"
    said_by = AND_SERVER
    text = "The competition is over."
    announces = "competition_finished"

    def apply(self, state: Competition) -> Competition:
        if state.status != "running":
            raise Illegal("Only a running competition can be finished.")
        if state.stage and state.stage.open_round:
            raise Illegal("A round is still open.")
        refuse_with_tables_to_come(state)
        return replace(state, status="finished", before_end=state.status)


class FinishCompetition(Verb, key="finish"):
    """Finish the competition; its standings become final. First lots are drawn for entries that are level."""

    taken_back_by = ("reopen",)
    uses_secret = True
    finish = Button(
        "Finish",
        "The standings become final. Lots are drawn for entries that nothing else separates.",
        "“Reopen the competition”; standings that are changed then say “corrected”.",
        statuses=RUNNING,
        steps=("finish", "start_stage", "draw"),
        danger=True,
    )

    def decide(self, state: Competition, given: Given) -> Events:
        lots, state = lots_events(state, given)
        waits = bool(lots) and not (state.stage and state.stage.lots)
        return lots if waits else (*lots, Finished())

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        return [*_unplayed(state), *(_lots(state, state.stage) if state.stage else ())]


def _unplayed(state: Competition) -> Iterator[Caution]:
    """Yield what would not be played."""
    stage = state.stage
    if stage and next_step(state) == "draw":
        rounds = plural(
            "%(count)d of %(planned)d rounds is played.",
            "%(count)d of %(planned)d rounds are played.",
            len(stage.rounds),
            planned=formats.of(stage.plan).rounds(state, stage),
        )
        yield Caution(rounds, "draw")
    if waits := tables_to_come(state):
        yield Caution(waits, stops=True)
    if left := len(state.plans) - len(state.stages):
        sentence = plural(
            "%(count)d planned stage would not be played.",
            "%(count)d planned stages would not be played.",
            left,
        )
        yield Caution(sentence, "start-stage")
    elif state.plans[-1].groups > 1:
        yield Caution(text("No next season is planned."), "add-stage")


def _lots(state: Competition, stage: Stage) -> Iterator[Caution]:
    """Yield for which entries lots would be drawn, and how they could play for the first place instead."""
    levels = levels_of(state, stage)
    for level in levels:
        yield Caution(lots_to_draw(state, stage, level))
    if len(stage.groups) == 1 and state.next_plan is None and levels and levels[0].first == 1:
        yield Caution(_play_for_it(levels[0]), "add-stage")


def _play_for_it(level: Level) -> Message:
    return text(
        "To let them play for the first place, add a stage that the best %(count)d of this one play.",
        count=len(level.entries),
    )
