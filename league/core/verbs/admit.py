"""Admit: an entry moves up from the waiting list."""

from typing import ClassVar

from games.engine.messages import Message, plural, text
from games.engine.values import replace
from league.core.entering import first_round, start_point
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.checks import refuse_if_full, with_status
from league.core.state.competition import Competition
from league.core.state.updates import arrived, in_smallest_group, with_entry
from league.core.verb import Button, EntryVerb, Events, Given


class Admitted(Event, type="admitted"):
    """An entry of the waiting list takes part, from ``from_round`` on or from the next stage on.

    Before the start this happens to the first in the list when an entry withdraws. After the start only an
    organiser admits entries, as late entries.
    """

    title = "Admitted from the waiting list"
    found_by = "moved up, promoted from the waiting list"
    said_by = AND_PLAYERS
    said_with: ClassVar = {"player": "withdrawn"}
    text = "%(entry)s moves up from the waiting list."
    entry: v.EntryId
    from_round: v.Count = 1
    next_stage: bool = False

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural(
            "%(count)d entry moves up from the waiting list.",
            "%(count)d entries move up from the waiting list.",
            count,
        )

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "waiting", text("Only a waiting entry can be admitted."))
        refuse_if_full(state)
        since = start_point(state, self.from_round, self.next_stage)
        entry = arrived(state, entry, since)
        admitted = replace(entry, status="entered", spells=((since, None),), was=(*entry.was, "waiting"))
        if self.next_stage:
            return with_entry(state, admitted)
        return in_smallest_group(with_entry(state, admitted), entry.id)


class AdmitEntry(EntryVerb, key="admit"):
    """Admit an entry from the waiting list, not necessarily the first, if a place is free.

    Before the start the first in the list moves up when an entry withdraws. After the start an admitted entry
    is a late entry, by default from the next round on.
    """

    taken_back_by = ("take-back-decision",)
    takes = ("waiting",)
    done = ("entered",)
    admit = Button(
        "Admit from the waiting list",
        "The entries you tick take part if places are free; after the start, from the next round on.",
        "“Take back approval, rejection or admission” works until the entry is in a published round.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        return (Admitted(self.entry, *first_round(state, self.from_round)),)
