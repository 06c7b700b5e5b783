"""Check in: an entry is present before the start."""

from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_after_start, with_status
from league.core.state.competition import Competition, Entry
from league.core.state.updates import with_entry
from league.core.verb import PREPARING, Button, EntryVerb, Events, Given, OwnButton, changes_something


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId


class CheckedIn(_Fields, Event, type="checked_in"):
    """An entry is present. With check-in, the start marks all other entries as ``absent`` in round 1."""

    title = "Check-in"
    found_by = "present, arrived, here"
    text = "%(entry)s checks in."

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is checked in.", "%(count)d entries are checked in.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "entered", text("Only an entry that takes part can check in."))
        refuse_after_start(state)
        if entry.checked_in:
            raise Illegal(text("%(name)s has checked in already.", name=entry.name))
        return with_entry(state, replace(entry, checked_in=True))


class CheckInEntry(_Fields, EntryVerb, key="check-in"):
    """Check an entry in before the start; one player can check a team in."""

    taken_back_by = ("check-out",)
    scope = "club:rule"
    event = CheckedIn
    audience = "scorekeepers"
    at_kiosk = True
    own = ()
    own_button = OwnButton(
        "Check in",
        "If you don’t check in before the start, you miss the first round.",
        "You are checked in.",
        rank=10,
    )
    check_in = Button(
        "Check in",
        "The entries you tick are here. Entries not checked in at the start miss the first round.",
        "“Take back the check-in” works until the start.",
        statuses=PREPARING,
        part="entries",
        asks=("entry",),
        several=True,
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.entering.check_in

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        check_in = state.opening.entering.check_in
        return check_in and entry is not None and changes_something(state, cls(entry.id), given)

    def decide(self, state: Competition, given: Given) -> Events:
        if state.entry(self.entry).checked_in:
            return ()
        return super().decide(state, given)
