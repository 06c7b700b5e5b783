"""Reject: an applicant does not take part."""

from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import with_status
from league.core.state.competition import Competition
from league.core.state.updates import with_entry
from league.core.verb import Button, EntryVerb


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    reason: v.Note = ""


class Rejected(_Fields, Event, type="rejected"):
    """An applicant does not take part."""

    title = "Entry rejected"
    found_by = "refused, turned down"
    text = "%(entry)s is rejected."

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is rejected.", "%(count)d entries are rejected.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "applied", text("Only an applicant can be rejected."))
        return with_entry(state, replace(entry, status="rejected", was=(*entry.was, "applied")))


class RejectEntry(_Fields, EntryVerb, key="reject"):
    """Reject an applicant; the reason is public."""

    taken_back_by = ("take-back-decision",)
    event = Rejected
    takes = ("applied",)
    done = ("rejected",)
    reject = Button(
        "Reject",
        "The applicants you tick do not take part.",
        "“Take back approval, rejection or admission”, or enter them yourself.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
        danger=True,
    )
