"""Check-in and absence: who plays the next round."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.course import absent_entries, coming_absences, has_next_round, round_to_come
from league.core.events import AND_PLAYERS, AND_SCOREKEEPERS, Ending, EndsGames, Event
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Entry, Outcome
from league.core.state.updates import (
    arrived,
    published_table,
    refuse_after_start,
    refuse_double,
    upcoming_round,
    with_entry,
    with_status,
    with_table,
)
from league.core.verb import (
    PREPARING,
    UNDECIDED_TABLE,
    UNDER_WAY,
    Button,
    EntryVerb,
    Events,
    Given,
    OwnButton,
    Verb,
    changes_something,
)
from league.core.weighing import reseated

# ---- Present -------------------------------------------------------------------------------------


class Present(Event, type="present"):
    """An absence, or a bye on request, is cancelled. Who was not here yet is here from that round on."""

    title = "Absence undone"
    found_by = "present after all, plays after all"
    said_by = AND_PLAYERS
    by_code = True
    text = "In round %(round)s after all: %(entry)s."
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
            if entry.takes_part(point) or not entry.joins_after(point):
                raise Illegal("Not absent in round %(round)d: %(name)s.", name=entry.name, round=self.round)
            refuse_double(state, entry.players, point, itself=entry.id)
            earlier = replace(entry, spells=entry.spells[:-1])
            entry = replace(entry, spells=earlier.spells_from(point))
        state.joining(self.round, entry.id)
        absences, requested = (
            tuple(each for each in points if each != point) for points in (entry.absences, entry.requested)
        )
        there = replace(entry, absences=absences, requested=requested)
        return reseated(with_entry(state, arrived(state, there, point)))


class MarkPresent(EntryVerb, key="present"):
    """Cancel an entry's absence from an unpublished round, by default the next one.

    Whoever had not checked in plays from that round on, by default the first one not drawn without them.
    """

    taken_back_by = ("absent",)
    own = ("round",)
    own_button = OwnButton(
        "Play after all",
        "You play in the round that you were going to miss; if it is open-ended, at once.",
        "You will play in that round.",
        rank=30,
    )
    present = Button(
        "Mark as present",
        "The entries you tick play in the next round; if its tables were made without them, in the one "
        "after it.",
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


# ---- Absent --------------------------------------------------------------------------------------


class Absent(Event, type="absent"):
    """An entry will not be drawn in a round; it gets points by the scoring's ``absent`` policy."""

    title = "Absence"
    found_by = "absent, away, misses a round, bye"
    said_by = (*AND_PLAYERS, "system")
    by_code = True
    text = "Absent from round %(round)s: %(entry)s."
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
                "Not playing in round %(round)d anyway: %(name)s.", name=entry.name, round=self.round
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
        "You miss the next round; where tables open one by one you are away at once. "
        "You can change your mind until the round is published or, where it is open-ended, over.",
        "You will miss that round.",
        rank=20,
    )
    absent = Button(
        "Mark as absent",
        "The entries you tick miss the next round; where tables open one by one they are away at once. "
        "Tables that are made already play without them.",
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
        away = absent_entries(state) | state.outside
        return tuple(entry for entry in super().candidates(state) if entry not in away)

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        if entry is None or not has_next_round(state) or entry.id not in cls.candidates(state):
            return False
        return changes_something(state, cls(entry.id), given)

    def decide(self, state: Competition, given: Given) -> Events:
        number = self.round or state.next_change
        if state.round_point(number) in state.entry(self.entry).absences:
            return ()
        return (Absent(self.entry, number, self.reason),)


# ---- Check in ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _EntryFields:
    entry: v.EntryId


class CheckedIn(_EntryFields, Event, type="checked_in"):
    """An entry is present: after the start from the unpublished round ``from_round`` on.

    By default that is the first one that it can join.
    """

    title = "Check-in"
    found_by = "present, arrived, here"
    said_by = ("organiser", "scorekeeper", "player", "kiosk")
    by_code = True
    text = "Checked in: %(entry)s."
    text_later = "Checked in from round %(from_round)s on: %(entry)s."
    from_round: v.Count | None = None

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry is checked in.", "%(count)d entries are checked in.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "entered", text("Only an entry that takes part can check in."))
        if entry.checked_in:
            raise Illegal("Checked in already: %(name)s.", name=entry.name)
        if not state.opening.entering.check_in:
            refuse_after_start(state)
        first = self.from_round or max(state.next_round, state.joining_round(entry.id))
        since = state.joining(first, entry.id) if state.started else BEGINNING
        return reseated(with_entry(state, replace(entry, checked_in=True, here_from=since)))


class CheckInEntry(_EntryFields, EntryVerb, key="check-in"):
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
        "Until you check in you miss every round.",
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


# ---- Check out -----------------------------------------------------------------------------------


class CheckedOut(_EntryFields, Event, type="checked_out"):
    """A check-in is taken back."""

    title = "Check-in undone"
    found_by = "check-out, not here, absent"
    said_by = ("organiser", "scorekeeper", "kiosk")
    text = "The check-in of %(entry)s is taken back."

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d check-in is taken back.", "%(count)d check-ins are taken back.", count)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if not state.opening.entering.check_in:
            refuse_after_start(state)
        if not entry.checked_in:
            raise Illegal("Not checked in: %(name)s.", name=entry.name)
        if not _can_leave(state, entry):
            raise Illegal("Here for a round already, so use “Mark as absent”: %(name)s.", name=entry.name)
        here_from = None if state.opening.entering.check_in else BEGINNING
        return reseated(with_entry(state, replace(entry, checked_in=False, here_from=here_from)))


def _can_leave(state: Competition, entry: Entry) -> bool:
    """Return whether the entry was not here yet in any published round."""
    return not state.started or not any(
        entry.here((stage.number, each.number)) for stage in state.stages for each in stage.shown_rounds
    )


class CheckOutEntry(_EntryFields, EntryVerb, key="check-out"):
    """Take back the check-in of an entry, until the first round in which it was here is published."""

    taken_back_by = ("check-in",)
    scope = "club:rule"
    event = CheckedOut
    audience = "scorekeepers"
    at_kiosk = True
    check_out = Button(
        "Take back the check-in",
        "The check-in of the entries you tick is taken back.",
        "Check them in again.",
        statuses=PREPARING,
        part="entries",
        asks=("entry",),
        several=True,
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        return tuple(
            entry.id
            for entry in state.entries
            if entry.status == "entered" and entry.checked_in and _can_leave(state, entry)
        )

    def decide(self, state: Competition, given: Given) -> Events:
        return super().decide(state, given) if state.entry(self.entry).checked_in else ()


# ---- Check in all --------------------------------------------------------------------------------


class CheckInAllEntries(Verb, key="check-in-all"):
    """Check in all entries that take part, in one step, but for who is not expected.

    That is who said not to come, is away that day, or has left the club.
    """

    taken_back_by = ("check-out",)
    scope = "club:rule"
    audience = "scorekeepers"
    check_in_all = Button(
        "Check in all entries",
        "All entries that take part are checked in, but for who said not to come, is away that day or has "
        "left the club.",
        "“Take back the check-in” of those who are not here works until the start.",
        statuses=PREPARING,
        part="entries",
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.entering.check_in and bool(state.not_checked_in)

    def decide(self, state: Competition, given: Given) -> Events:
        refuse_after_start(state)
        if not state.opening.entering.check_in:
            raise Illegal("This competition has no check-in.")
        return [CheckedIn(entry.id) for entry in state.not_checked_in if entry.id not in given.not_expected]


# ---- No show -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _NoShowFields:
    table: v.TableId
    entry: v.EntryId
    reason: v.Note = ""


class NoShow(_NoShowFields, EndsGames, type="no_show"):
    """An entry did not come: the policy decides its points; the others keep theirs."""

    title = "No-show"
    found_by = "did not come, absent, missing, not there"
    said_by = AND_SCOREKEEPERS
    text = "%(table)s: no-show of %(entry)s."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        return with_outcome(state, self.table, self.entry, "no_show")

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, self.reason, self.entry),)


def with_outcome(state: Competition, table: str, entry: str, outcome: Outcome) -> Competition:
    """Return the state with the outcome of an entry at a table; raise `Illegal`."""
    played = published_table(state, table)
    if entry not in played.entries:
        raise Illegal("This entry has no seat at this table.")
    if played.walked_over or played.void is not None:
        raise Illegal("This table is void or a walkover.")
    others = tuple(each for each in played.outcomes if each[0] != entry)
    running = tuple(game.id for game in played.games if game.result is None and not game.abandoned)
    left = played.left if entry in dict(played.left) else (*played.left, (entry, running))
    return with_table(state, replace(played, outcomes=(*others, (entry, outcome)), left=left))


class MarkNoShow(_NoShowFields, Verb, key="no-show"):
    """Mark an entry as a no-show at its table: its seats leave the game, the policy decides its points.

    The others play on; the game ends if only one entry is left.
    """

    taken_back_by = ("take-back-outcome",)
    scope = "club:rule"
    event = NoShow
    audience = "scorekeepers_undecided"
    no_show = Button(
        "No-show",
        "The entry leaves the game and gets the points that the scoring gives for a no-show. "
        "The others play on; the game ends if only one entry is left.",
        "“Take back no-show or forfeit”; the game must then be replayed or its result set.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("entry", "reason"),
        danger=True,
    )
