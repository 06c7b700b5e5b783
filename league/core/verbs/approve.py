"""Approve: an applicant takes part, or joins the waiting list."""

from collections.abc import Mapping

from games.engine.messages import Message, plural, text
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_after_start, refuse_if_full, with_status
from league.core.state.competition import Competition
from league.core.state.updates import with_entry
from league.core.verb import PREPARING, Button, EntryVerb, Events, Given


class Approved(Event, type="approved"):
    """An applicant takes part, or with ``waiting`` joins the waiting list."""

    title = "Entry approved"
    found_by = "accepted, approval"
    text = "%(entry)s is approved."
    text_waiting = "%(entry)s is approved and is on the waiting list."
    entry: v.EntryId
    waiting: bool = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_waiting if fields.get("waiting") else cls.text

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is approved.", "%(count)d entries are approved.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "applied", text("Only an applicant can be approved."))
        refuse_after_start(state)
        if not self.waiting:
            refuse_if_full(state)
        return with_entry(
            state,
            replace(entry, status="waiting" if self.waiting else "entered", was=(*entry.was, "applied")),
        )


class ApproveEntry(EntryVerb, key="approve"):
    """Approve an applicant before the start; they join the waiting list if all places are taken."""

    taken_back_by = ("take-back-decision",)
    takes = ("applied",)
    done = ("entered", "waiting")
    approve = Button(
        "Approve",
        "The applicants you tick take part, or join the waiting list if all places are taken.",
        "“Take back approval, rejection or admission” works until the start.",
        statuses=PREPARING,
        part="entries",
        asks=("entry",),
        several=True,
    )

    def decide(self, state: Competition, given: Given) -> Events:
        return (Approved(self.entry, state.full),)
