"""Start: entries are fixed, and the first stage begins."""

from collections.abc import Sequence
from dataclasses import replace

from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from league.core import formats
from league.core.course import absent_entries
from league.core.events import Event, apply
from league.core.state.checks import refuse_after_start
from league.core.state.competition import Competition, Entry
from league.core.verb import PREPARING, Button, Caution, Events, Given, Verb
from league.core.verbs.absent import Absent
from league.core.verbs.start_stage import stage_events


class Started(Event, type="started"):
    """Entries are fixed; new ones are late entries."""

    text = "The competition starts."
    webhook = "competition_started"

    def apply(self, state: Competition) -> Competition:
        refuse_after_start(state)
        if sum(entry.status == "entered" for entry in state.entries) < 2:
            raise Illegal("There are too few entries for a table.")
        return replace(state, status="running", started=True, before_start=state.status)


class StartCompetition(Verb, key="start"):
    """Start the competition and its first stage; entries that did not check in miss the first round."""

    taken_back_by = ("take-back-start",)
    uses_secret = True
    start = Button(
        "Start",
        "Entries are fixed, and round 1 can be drawn.",
        "“Take back the start” works until round 1 is published.",
        statuses=PREPARING,
    )

    @classmethod
    def draws(cls, state: Competition) -> bool:
        return True

    @classmethod
    def cautions(cls, state: Competition) -> Sequence[Caution]:
        playing, absent = _present(state)
        found = [Caution(plural("%(count)d entry plays.", "%(count)d entries play.", playing))]
        if absent:
            sentence = plural(
                "%(count)d entry is not checked in and would miss round 1.",
                "%(count)d entries are not checked in and would miss round 1.",
                len(absent),
            )
            found.append(Caution(sentence, "check-in-all"))
        if state.opening.pace == "automatic":
            found.append(Caution(text("Round 1 is drawn and published at once: the pace is automatic.")))
        plan = state.plans[0]
        if plan.intake.source == "entries":
            live = sum(entry.status == "entered" for entry in state.entries)
            found += map(Caution, formats.find(plan.format).foretold(state.opening, plan, live))
        return found

    def decide(self, state: Competition, given: Given) -> Events:
        refuse_after_start(state)
        playing, absent = _present(state)
        if absent and playing < 2:
            raise Illegal(
                text(
                    "%(present)d of %(count)d entries have checked in; a round needs two. "
                    "Check in everybody who is here first.",
                    present=playing,
                    count=playing + len(absent),
                )
            )
        begin = *(Absent(entry.id, 1, "not checked in") for entry in absent), Started()
        for event in begin:
            state = apply(state, event)
        return *begin, *stage_events(state, given)


def _present(state: Competition) -> tuple[int, Sequence[Entry]]:
    """Return how many entries would play in round 1, and those who would miss it for want of a check-in."""
    missing = state.not_checked_in if state.opening.entering.check_in else ()
    absent = {entry.id for entry in missing} | absent_entries(state)
    playing = sum(entry.status == "entered" and entry.id not in absent for entry in state.entries)
    return playing, missing
