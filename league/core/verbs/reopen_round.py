"""Reopen the round that was closed last."""

from collections.abc import Sequence

from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import begun_stage, refuse_unless_under_way
from league.core.state.competition import Competition
from league.core.state.updates import discarded, with_round
from league.core.verb import UNDER_WAY, Button, Caution, Events, Given, Verb
from league.core.verbs.pause import held


class RoundReopened(Event, type="round_reopened"):
    """The round that was closed last is played again: its tables can be replayed and decided."""

    title = "Round reopened"
    found_by = "correction after the round, open again"
    text = "Round %(round)s is reopened."
    stage: v.Count
    round: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        refuse_unless_under_way(state)
        _refuse_followed(state, self.stage, self.round)
        state = discarded(state, self.reason)
        stage = state.stage_numbered(self.stage)
        closed = stage.rounds[self.round - 1]
        return with_round(state, stage, replace(closed, status="published"))


def _refuse_followed(state: Competition, stage: int, number: int) -> None:
    """Raise `Illegal` unless the round is closed and nothing that is public came after it."""
    its_stage = state.stage_numbered(stage)
    if len(state.stages) > stage:
        raise Illegal(
            plural(
                "Stage %(stage)d was made from these standings; its groups and %(count)d published round "
                "would be lost.",
                "Stage %(stage)d was made from these standings; its groups and %(count)d published rounds "
                "would be lost.",
                sum(len(each.shown_rounds) for each in state.stages[stage:]),
                stage=stage + 1,
            )
        )
    if not 1 <= number <= len(its_stage.rounds) or its_stage.rounds[number - 1].status != "closed":
        raise Illegal(text("Round %(round)d is not closed.", round=number))
    if later := len(its_stage.shown_rounds) - number:
        raise Illegal(
            plural(
                "%(count)d round was published after it and would be lost.",
                "%(count)d rounds were published after it and would be lost.",
                later,
            )
        )


class ReopenRound(Verb, key="reopen-round"):
    """Reopen the round that was closed last, as long as no later one is published.

    An unpublished draw of the next round is discarded. With the automatic pace the competition is paused too.
    """

    taken_back_by = ("close-round",)
    reopen_round = Button(
        "Reopen the round",
        "The round that was closed last is played again. Its tables can be reopened, replayed and decided.",
        "Close the round again.",
        statuses=UNDER_WAY,
        part="round",
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        stage = state.stage
        return bool(stage and stage.shown_rounds and stage.shown_rounds[-1].status == "closed")

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        drawn = state.drawn_round
        if drawn is None:
            return ()
        return (Caution(text("The unpublished draw of round %(round)d is discarded.", round=drawn.number)),)

    def decide(self, state: Competition, given: Given) -> Events:
        stage = next((each for each in reversed(state.stages) if each.shown_rounds), begun_stage(state))
        reopened = RoundReopened(stage.number, len(stage.shown_rounds), self.reason)
        return reopened, *held(state, self.reason)
