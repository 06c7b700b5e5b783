"""Discard a draw that is not published."""

from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import begun_stage, drawn_round
from league.core.state.competition import Competition
from league.core.state.updates import discarded
from league.core.verb import RUNNING, Button, Events, Given, Verb
from league.core.verbs.pause import held


class DrawDiscarded(Event, type="draw_discarded"):
    """An unpublished draw is thrown away; everybody can read it now, and the next one is a new draw."""

    title = "Draw discarded"
    found_by = "redraw, drawn again"
    text = "The draw of round %(round)s is discarded."
    stage: v.Count
    round: v.Count
    reason: v.Reason

    def apply(self, state: Competition) -> Competition:
        drawn_round(state, self.stage, self.round)
        return discarded(state, self.reason)


class DiscardDraw(Verb, key="discard-draw"):
    """Discard the draw of a round that is not published; everybody can read it then, and the reason.

    With the automatic pace the competition is paused too.
    """

    taken_back_by = ("draw",)
    discard_draw = Button(
        "Discard the draw",
        "The round is no longer drawn. Everybody sees the discarded draw and your reason.",
        "Draw the round again; that is a new draw.",
        statuses=RUNNING,
        part="round",
        steps=("publish",),
        asks=("reason",),
        danger=True,
    )

    reason: v.Reason

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if stage.drawn_round is None:
            raise Illegal("No round is drawn.")
        return DrawDiscarded(stage.number, stage.drawn_round.number, self.reason), *held(state, self.reason)
