"""Close the round once all tables are decided."""

from collections.abc import Iterable
from typing import Annotated

from games.engine.messages import plural
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Label
from games.engine.values import replace
from league.core.events import AND_SERVER, Event
from league.core.state import values as v
from league.core.state.checks import begun_stage, played_round, refuse_unless_running
from league.core.state.competition import Competition, Table
from league.core.state.updates import with_round
from league.core.verb import RUNNING, Button, Events, Given, Verb
from league.core.verbs.void import Voided


class RoundClosed(Event, type="round_closed"):
    """The round is over; all its tables are decided, void or put off."""

    title = "Round closed"
    found_by = "end of the round"
    said_by = AND_SERVER
    text = "Round %(round)s is closed."
    announces = "round_closed"
    stage: v.Count
    round: v.Count

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage, played = played_round(state, self.stage, self.round)
        if undecided := len(played.undecided):
            raise Illegal(
                plural(
                    "%(count)d of the round's tables is not decided.",
                    "%(count)d of the round's tables are not decided.",
                    undecided,
                )
            )
        return with_round(state, stage, replace(played, status="closed"))


class CloseRound(Verb, key="close-round"):
    """Close the current round; tables that are put off stay undecided.

    With a reason in ``void_undecided``, the other undecided tables become void.
    """

    taken_back_by = ("reopen-round",)
    close_round = Button(
        "Close the round",
        "All tables are decided or put off. The round is over.",
        "“Reopen the round” works until a later round is published.",
        statuses=RUNNING,
        part="round",
        steps=("close_round",),
    )
    close_early = Button(
        "Close the round early",
        "The round is over. Tables that are not decided become void, for the reason you give.",
        "“Reopen the round” works until a later round is published; then reopen the void tables.",
        statuses=RUNNING,
        part="round",
        steps=("play", "rule"),
        asks=("void_undecided",),
        danger=True,
    )

    void_undecided: Annotated[v.Note, Label("Reason"), Help("why undecided tables become void")] = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.current_round is not None

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        early = button.key == "close-early"
        return state.current_round.undecided if early and state.current_round else ()

    def decide(self, state: Competition, given: Given) -> Events:
        stage = begun_stage(state)
        if stage.open_round is None:
            raise Illegal("No round is being played.")
        undecided = stage.open_round.undecided if self.void_undecided else ()
        voided = [Voided(table.id, self.void_undecided) for table in undecided]
        return *voided, RoundClosed(stage.number, stage.open_round.number)
