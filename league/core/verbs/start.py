"""Start: entries are fixed, and the first stage begins."""

from dataclasses import dataclass, replace

from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state.checks import refuse_after_start
from league.core.state.competition import Competition
from league.core.verb import PREPARING, Button, Events, Given, Verb
from league.core.verbs.absent import Absent
from league.core.verbs.start_stage import next_stage


@dataclass(frozen=True)
class Started(Event, type="started"):
    """Entries are fixed; new ones are late entries."""

    text = "The competition starts."
    webhook = "competition_started"

    def apply(self, state: Competition) -> Competition:
        refuse_after_start(state)
        if sum(entry.status == "entered" for entry in state.entries) < 2:
            raise Illegal("There are too few entries for a table.")
        return replace(state, status="running", started=True)


@dataclass(frozen=True)
class StartCompetition(Verb, key="start"):
    """Start the competition and its first stage; entries that did not check in miss the first round."""

    start = Button(
        "Start",
        "Entries are fixed; you can draw round 1. With the automatic pace it is drawn at once.",
        "This can’t be undone, but you can still enter players late and withdraw entries.",
        statuses=PREPARING,
    )

    def decide(self, state: Competition, given: Given) -> Events:
        refuse_after_start(state)
        missing = (
            Absent(entry.id, 1, "not checked in")
            for entry in state.entries
            if state.opening.entering.check_in and entry.status == "entered" and not entry.checked_in
        )
        return *missing, Started(), next_stage(state)
