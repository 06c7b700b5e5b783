"""Byes on request: an entry asks to miss a round, before the draw of it and as often as its stage allows."""

from games.engine.messages import Message, plural
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.agreed import free_rounds, next_free, plan_now, refusal
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import Competition, Entry
from league.core.state.updates import upcoming_round, with_entry
from league.core.verb import Button, EntryVerb, Events, Given, OwnButton


class ByeRequested(Event, type="bye_requested"):
    """An entry has a bye on request in a round; it gets points by the scoring's ``requested`` policy.

    It is left out at the round's cut-off. A `present` takes it back.
    """

    title = "Bye on request"
    found_by = "asked for a bye, half-point bye, away, misses a round"
    said_by = AND_PLAYERS
    by_code = True
    text = "Bye on request in round %(round)s: %(entry)s."
    entry: v.EntryId
    round: v.Count

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural(
            "%(count)d entry has a bye on request.", "%(count)d entries have a bye on request.", count
        )

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        at = upcoming_round(state, self.round)
        if why := refusal(state, entry, self.round):
            raise Illegal(why)
        absences = entry.absences if at in entry.absences else (*entry.absences, at)
        return with_entry(state, replace(entry, absences=absences, requested=(*entry.requested, at)))


class RequestBye(EntryVerb, key="request-bye"):
    """Give an entry a bye in a round that is not drawn yet, by default the next one, as the stage allows.

    The stage says how many each entry can have, not in which of the last rounds, and what they are worth.
    “Mark as present” takes it back until the cut-off of the round.
    """

    taken_back_by = ("present",)
    own = ("round",)
    own_button = OwnButton(
        "Ask for a bye",
        "You get the points of a bye on request, and no table. "
        "You can change your mind until the round is drawn.",
        "You have a bye in that round.",
        rank=15,
    )
    request_bye = Button(
        "Give a bye on request",
        "The entries you tick have a bye in the next round that is not drawn yet, with the points that the "
        "stage gives for it.",
        "“Mark as present” works until the round is drawn.",
        part="entries",
        asks=("entry", "round"),
        several=True,
    )

    round: v.NextRound = None

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        if plan_now(state).requested_byes == 0:
            return ()
        return tuple(
            entry.id for entry in state.entries if entry.status == "entered" and free_rounds(state, entry)
        )

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        return entry is not None and entry.id in cls.candidates(state)

    def decide(self, state: Competition, given: Given) -> Events:
        number = self.round or next_free(state)
        if state.round_point(number) in state.entry(self.entry).requested:
            return ()
        return (ByeRequested(self.entry, number),)
