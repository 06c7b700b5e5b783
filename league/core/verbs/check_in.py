"""Check in: an entry is present, before the start or as a latecomer."""

from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.course import has_next_round, round_to_come
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_after_start, with_status
from league.core.state.competition import BEGINNING, Competition, Entry
from league.core.state.updates import with_entry
from league.core.verb import PREPARING, Button, EntryVerb, Events, Given, OwnButton, changes_something
from league.core.weighing import reseated


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId


class CheckedIn(_Fields, Event, type="checked_in"):
    """An entry is present: after the start from the unpublished round ``from_round`` on.

    By default that is the first one that it can join.
    """

    title = "Check-in"
    found_by = "present, arrived, here"
    said_by = ("organiser", "scorekeeper", "player", "kiosk")
    text = "%(entry)s checks in."
    text_later = "%(entry)s checks in and is here from round %(from_round)s on."
    from_round: v.Count | None = None

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is checked in.", "%(count)d entries are checked in.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "entered", text("Only an entry that takes part can check in."))
        if entry.checked_in:
            raise Illegal(text("%(name)s has checked in already.", name=entry.name))
        if not state.opening.entering.check_in:
            refuse_after_start(state)
        first = self.from_round or max(state.next_round, state.joining_round(entry.id))
        since = state.joining(first, entry.id) if state.started else BEGINNING
        return reseated(with_entry(state, replace(entry, checked_in=True, here_from=since)))


class CheckInEntry(_Fields, EntryVerb, key="check-in"):
    """Check an entry in; one player can check a team in.

    Whoever checks in after the start plays from the first round on that is not drawn without them.
    """

    taken_back_by = ("check-out",)
    scope = "club:rule"
    audience = "scorekeepers"
    at_kiosk = True
    own = ()
    own_button = OwnButton(
        "Check in",
        "You miss each round that is drawn before you check in.",
        "You are checked in.",
        rank=10,
    )
    check_in = Button(
        "Check in",
        "The entries you tick are here. Entries not checked in at the start miss each round until they are.",
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
        to_come = round_to_come(state) or state.next_plan is not None
        check_in = state.opening.entering.check_in and to_come
        return check_in and entry is not None and changes_something(state, cls(entry.id), given)

    def decide(self, state: Competition, given: Given) -> Events:
        if state.entry(self.entry).checked_in:
            return ()
        tells_round = state.started and has_next_round(state)
        return (CheckedIn(self.entry, state.joining_round(self.entry) if tells_round else None),)
