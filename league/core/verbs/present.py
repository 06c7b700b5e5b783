"""Mark as present: an entry plays after all in a round that it was going to miss."""

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.course import absent_entries, coming_absences
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.checks import upcoming_round
from league.core.state.competition import Competition, Entry
from league.core.state.updates import arrived, with_entry
from league.core.verb import Button, EntryVerb, Events, Given, OwnButton, changes_something
from league.core.weighing import reseated


class Present(Event, type="present"):
    """An absence is cancelled. Whoever had not checked in is here from the round on."""

    title = "Absence undone"
    found_by = "present after all, plays after all"
    said_by = AND_PLAYERS
    text = "%(entry)s will play in round %(round)s after all."
    entry: v.EntryId
    round: v.Count

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural(
            "%(count)d entry is marked as present.", "%(count)d entries are marked as present.", count
        )

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        point = upcoming_round(state, self.round)
        if not state.misses(entry, point):
            raise Illegal(
                text("%(name)s is not absent in round %(round)d.", name=entry.name, round=self.round)
            )
        state.joining(self.round, entry.id)
        left = tuple(each for each in entry.absences if each != point)
        return reseated(with_entry(state, arrived(state, replace(entry, absences=left), point)))


class MarkPresent(EntryVerb, key="present"):
    """Cancel an entry's absence from an unpublished round, by default the next one.

    Whoever had not checked in plays from that round on, by default the first one not drawn without them.
    """

    taken_back_by = ("absent",)
    own = ("round",)
    own_button = OwnButton(
        "Play after all",
        "You will be drawn in the round that you were going to miss.",
        "You will play in that round.",
        rank=30,
    )
    present = Button(
        "Mark as present",
        "The entries you tick play in the next round; if it was drawn without them, in the one after it.",
        "Mark them as absent again.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    round: v.NextRound = None

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        away = absent_entries(state)
        return tuple(
            entry.id
            for entry in state.entries
            if entry.id in away and state.misses(entry, state.round_point(_round_for(state, entry)))
        )

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        if entry is None or _not_here_yet(state, entry):
            return False  # Whoever has not checked in has a button for that.
        rounds = coming_absences(state, entry)
        return any(changes_something(state, cls(entry.id, number), given) for number in rounds)

    def decide(self, state: Competition, given: Given) -> Events:
        entry = state.entry(self.entry)
        number = self.round or _round_for(state, entry)
        if not state.misses(entry, state.round_point(number)):
            return ()
        return (Present(self.entry, number),)


def _round_for(state: Competition, entry: Entry) -> int:
    """Return the round for which an entry is marked as present."""
    return state.joining_round(entry.id) if _not_here_yet(state, entry) else state.next_change


def _not_here_yet(state: Competition, entry: Entry) -> bool:
    return state.started and not entry.here(state.round_point(state.next_change))
