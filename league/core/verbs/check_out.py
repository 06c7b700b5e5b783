"""Check out: a check-in is taken back."""

from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_after_start
from league.core.state.competition import BEGINNING, Competition, Entry
from league.core.state.updates import with_entry
from league.core.verb import PREPARING, Button, EntryVerb, Events, Given
from league.core.weighing import reseated


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId


class CheckedOut(_Fields, Event, type="checked_out"):
    """A check-in is taken back."""

    title = "Check-in undone"
    found_by = "check-out, not here, absent"
    said_by = ("organiser", "scorekeeper", "kiosk")
    text = "The check-in of %(entry)s is taken back."

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d check-in is taken back.", "%(count)d check-ins are taken back.", count)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if not state.opening.entering.check_in:
            refuse_after_start(state)
        if not entry.checked_in:
            raise Illegal(text("%(name)s has not checked in.", name=entry.name))
        if not _can_leave(state, entry):
            raise Illegal(
                text("%(name)s has been here for a round already: use “Mark as absent”.", name=entry.name)
            )
        here_from = None if state.opening.entering.check_in else BEGINNING
        return reseated(with_entry(state, replace(entry, checked_in=False, here_from=here_from)))


def _can_leave(state: Competition, entry: Entry) -> bool:
    """Return whether the entry was not here yet in any published round."""
    return not state.started or not any(
        entry.here((stage.number, each.number)) for stage in state.stages for each in stage.shown_rounds
    )


class CheckOutEntry(_Fields, EntryVerb, key="check-out"):
    """Take back the check-in of an entry, until the first round in which it was here is published."""

    taken_back_by = ("check-in",)
    scope = "club:rule"
    event = CheckedOut
    audience = "scorekeepers"
    at_kiosk = True
    check_out = Button(
        "Take back the check-in",
        "The check-in of the entries you tick is taken back.",
        "Check them in again.",
        statuses=PREPARING,
        part="entries",
        asks=("entry",),
        several=True,
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        return tuple(
            entry.id
            for entry in state.entries
            if entry.status == "entered" and entry.checked_in and _can_leave(state, entry)
        )

    def decide(self, state: Competition, given: Given) -> Events:
        return super().decide(state, given) if state.entry(self.entry).checked_in else ()
