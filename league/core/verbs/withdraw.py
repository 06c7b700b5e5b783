"""Withdraw: an entry stops playing."""

from dataclasses import dataclass, replace

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.core.course import next_round
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import upcoming
from league.core.state.competition import Competition, Entry
from league.core.state.updates import with_entry, without_draw
from league.core.verb import Button, EntryVerb, Events, Given, OwnButton, changes_something
from league.core.verbs.admit import Admitted


@dataclass(frozen=True)
class Withdrawn(Event, type="withdrawn"):
    """An entry does not play from ``from_round`` on.

    Its results still count; its current tables are decided like any others.
    """

    text = "%(entry)s withdraws."
    entry: v.EntryId
    from_round: v.Count = 1
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if not entry.live:
            raise Illegal(text("%(name)s does not take part.", name=entry.name))
        until = upcoming(state, self.from_round)
        kept = tuple((since, end) for since, end in entry.spells if since < until)
        spells = (*kept[:-1], (kept[-1][0], until)) if kept else ()
        return with_entry(without_draw(state, until), replace(entry, status="withdrawn", spells=spells))


@dataclass(frozen=True)
class WithdrawEntry(EntryVerb, key="withdraw"):
    """Withdraw an entry, by default from the next round on.

    Before the start the first entry of the waiting list takes its place.
    """

    takes = ("entered", "waiting", "applied")
    done = ("withdrawn",)
    own = ("reason",)
    own_button = OwnButton(
        "Withdraw",
        "You do not play from the next round on. Your results still count.",
        "You have withdrawn.",
        danger=True,
        rank=90,
    )
    withdraw = Button(
        "Withdraw",
        "The entries you tick do not play from the next round on. Their results still count.",
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
        withdrawn = Withdrawn(self.entry, self.from_round or next_round(state), self.reason)
        if state.started or state.entry(self.entry).status != "entered":
            return (withdrawn,)
        waiting = [Admitted(entry.id) for entry in state.entries if entry.status == "waiting"]
        return withdrawn, *waiting[:1]
