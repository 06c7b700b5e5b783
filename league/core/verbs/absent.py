"""Mark as absent: an entry will miss a round."""

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.course import absent_entries, has_next_round, round_to_come
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.checks import upcoming_round
from league.core.state.competition import Competition, Entry
from league.core.state.updates import with_entry
from league.core.verb import Button, EntryVerb, Events, Given, OwnButton, changes_something
from league.core.weighing import reseated


class Absent(Event, type="absent"):
    """An entry will not be drawn in a round; it gets points by the scoring's ``absent`` policy."""

    title = "Absence"
    found_by = "absent, away, misses a round, bye"
    said_by = AND_PLAYERS
    text = "%(entry)s will miss round %(round)s."
    entry: v.EntryId
    round: v.Count
    reason: v.Note = ""

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural(
            "%(count)d entry is marked as absent.", "%(count)d entries are marked as absent.", count
        )

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        point = upcoming_round(state, self.round)
        if not entry.takes_part(point) or point in entry.absences:
            raise Illegal(
                text("%(name)s does not play in round %(round)d anyway.", name=entry.name, round=self.round)
            )
        away = replace(entry, absences=(*entry.absences, point))
        return reseated(with_entry(state, away))


class MarkAbsent(EntryVerb, key="absent"):
    """Mark an entry as absent from an unpublished round, by default the next one.

    While a round is open-ended, that is this round: the entry opens no tables until it is present again.
    """

    taken_back_by = ("present",)
    own = ("round", "reason")
    own_button = OwnButton(
        "Miss a round",
        "You will not be drawn in the next one; in open play or a ladder you are away at once. "
        "You can change your mind until the round is published or, where it is open-ended, over.",
        "You will miss that round.",
        rank=20,
    )
    absent = Button(
        "Mark as absent",
        "The entries you tick miss the next round; in open play or a ladder they are away at once. "
        "If the round is drawn already, their tables play without them.",
        "“Mark as present” works until the round is published.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
    )

    round: v.NextRound = None
    reason: v.Note = ""

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        if not round_to_come(state):
            return ()
        away = absent_entries(state)
        return tuple(entry for entry in super().candidates(state) if entry not in away)

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        if entry is None or not has_next_round(state) or entry.id in absent_entries(state):
            return False
        return changes_something(state, cls(entry.id), given)

    def decide(self, state: Competition, given: Given) -> Events:
        number = self.round or state.next_change
        if state.round_point(number) in state.entry(self.entry).absences:
            return ()
        return (Absent(self.entry, number, self.reason),)
