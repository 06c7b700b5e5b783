"""Withdraw: an entry stops playing."""

from collections.abc import Mapping
from typing import Annotated

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.shapes import Help
from games.engine.values import replace
from league.core.course import has_next_round
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import Competition, Entry, Point
from league.core.state.updates import with_entry
from league.core.verb import Button, EntryVerb, Events, Given, OwnButton, changes_something
from league.core.verbs.entering import Admitted
from league.core.weighing import reseated


class Withdrawn(Event, type="withdrawn"):
    """An entry does not play from ``from_round`` on, by default from the first unpublished round on.

    A second withdrawal can only bring this forward. Its results still count; its current tables are decided
    like any others.
    """

    title = "Withdrawal"
    found_by = "withdrew, left, dropped out, quit, gone, retired"
    said_by = AND_PLAYERS
    text = "%(entry)s withdraws."
    text_expelled = "%(entry)s is expelled."
    text_later = "%(entry)s withdraws from round %(from_round)s on."
    entry: v.EntryId
    from_round: v.Count | None = None
    reason: v.Note = ""
    expelled: Annotated[bool, Help("an organiser expelled the entry")] = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_expelled if fields.get("expelled") else super().sentence(fields)

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is withdrawn.", "%(count)d entries are withdrawn.", count)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        until = state.upcoming(self.from_round or state.next_round)
        if not entry.live and not _leaves_after(entry, until):
            raise Illegal(text("%(name)s does not take part.", name=entry.name))
        spells = tuple((since, min(end or until, until)) for since, end in entry.spells if since < until)
        was = (*entry.was, entry.status) if entry.live else entry.was
        expelled = entry.expelled or self.expelled
        left = replace(entry, status="withdrawn", spells=spells, was=was, expelled=expelled)
        return reseated(with_entry(state, left))


def _leaves_after(entry: Entry, until: Point) -> bool:
    """Return whether an entry has withdrawn from a round after a point."""
    left = entry.spells[-1][1] if entry.status == "withdrawn" and entry.spells else None
    return left is not None and until < left


class WithdrawEntry(EntryVerb, key="withdraw"):
    """Withdraw an entry, by default from the next round on, or at once while a round is open-ended.

    Before the start the first entry of the waiting list takes its place. An entry that has withdrawn from a
    later round leaves at the earlier one; otherwise a second withdrawal changes nothing.
    """

    taken_back_by = ("return-entry",)
    takes = ("entered", "waiting", "applied")
    own = ("reason",)
    own_button = OwnButton(
        "Withdraw",
        "You do not play from the next round on; in open play or a ladder, at once. "
        "Your results still count.",
        "You have withdrawn.",
        danger=True,
        rank=90,
    )
    withdraw = Button(
        "Withdraw",
        "The entries you tick do not play from the next round on; in open play or a ladder, at once. "
        "Their results still count.",
        "“Return” lets a withdrawn entry play again.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
        danger=True,
    )

    reason: v.Note = ""
    from_round: v.FromRound = None

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return True

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        return entry is not None and changes_something(state, cls(entry.id), given)

    def decide(self, state: Competition, given: Given) -> Events:
        entry, first = state.entry(self.entry), self.from_round or state.next_change
        if entry.status == "withdrawn" and not _leaves_after(entry, state.round_point(first)):
            return ()
        told = self.from_round or (first if state.stage and has_next_round(state) else None)
        withdrawn = Withdrawn(self.entry, told, self.reason)
        if state.started or entry.status != "entered":
            return (withdrawn,)
        waiting = [Admitted(entry.id) for entry in state.entries if entry.status == "waiting"]
        return withdrawn, *waiting[:1]
