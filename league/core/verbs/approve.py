"""Approve: an applicant takes part, or joins the waiting list."""

from collections.abc import Mapping

from games.engine.messages import Message, plural, text
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_after_start, refuse_if_full, with_status
from league.core.state.competition import BEGINNING, Competition
from league.core.state.updates import arrived, in_smallest_group, with_entry
from league.core.verb import Button, EntryVerb, Events, Given


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
        if not state.open_ended:
            refuse_after_start(state)
        if self.waiting:
            refuse_after_start(state)
            return with_entry(state, replace(entry, status="waiting", was=(*entry.was, "applied")))
        refuse_if_full(state)
        since = state.joining(state.joining_round()) if state.started else BEGINNING
        approved = replace(arrived(state, entry, since), status="entered", spells=((since, None),))
        return in_smallest_group(
            with_entry(state, replace(approved, was=(*entry.was, "applied"))), self.entry
        )


class ApproveEntry(EntryVerb, key="approve"):
    """Approve an applicant before the start, or in an open-ended round.

    Before the start they join the waiting list if all places are taken.
    """

    taken_back_by = ("take-back-decision",)
    takes = ("applied",)
    done = ("entered", "waiting")
    approve = Button(
        "Approve",
        "The applicants you tick take part, or join the waiting list if all places are taken.",
        "“Take back approval, rejection or admission” works until the entry is in a published round.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return super().offered(state, button) and (state.open_ended or not state.started)

    def decide(self, state: Competition, given: Given) -> Events:
        return (Approved(self.entry, not state.started and state.full),)
