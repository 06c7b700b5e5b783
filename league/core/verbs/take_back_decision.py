"""Take back the last decision on an entry: its approval, rejection or admission."""

from dataclasses import dataclass

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_double
from league.core.state.competition import BEGINNING, Competition, Entry
from league.core.state.updates import with_entry, with_stage
from league.core.verb import Button, EntryVerb
from league.core.weighing import reseated


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    reason: v.Note = ""


class EntryDecisionTakenBack(_Fields, Event, type="entry_decision_taken_back"):
    """An entry that was approved or rejected applies again; one that was admitted waits again."""

    title = "Decision on an entry taken back"
    found_by = "approval undone, rejection undone, admission undone"
    text = "The last decision on %(entry)s is taken back."
    text_before = "Taken back: %(before)s"
    about = ("entry",)
    replaces = ("approved", "rejected", "admitted")
    takes_back = True

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d decision is taken back.", "%(count)d decisions are taken back.", count)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if entry.id not in _decided(state):
            raise Illegal(text("Nothing was decided about %(name)s that can be taken back.", name=entry.name))
        if _seated(state, entry):
            raise Illegal(text("%(name)s is in a published round; withdraw it instead.", name=entry.name))
        refuse_double(state, entry.players, itself=entry.id)
        before = replace(entry, status=entry.was[-1], spells=((BEGINNING, None),), was=entry.was[:-1])
        return _without_place(reseated(with_entry(state, before)), entry.id)


def _decided(state: Competition) -> tuple[str, ...]:
    """Return the ids of the entries with a decision that can be taken back."""
    decided = ("entered", "waiting", "rejected")
    found = [entry for entry in state.entries if entry.status in decided and entry.was]
    # After the start only a late admission, or a rejection, has nothing standing on it.
    return tuple(
        entry.id
        for entry in found
        if not state.started or entry.status == "rejected" or entry.spells[0][0] > BEGINNING
    )


def _seated(state: Competition, entry: Entry) -> bool:
    shown = [(stage, each) for stage in state.stages for each in stage.shown_rounds]
    return any(entry.takes_part((stage.number, each.number)) for stage, each in shown)


def _without_place(state: Competition, entry: str) -> Competition:
    """Return the state with the entry in no group of the current stage."""
    stage = state.stage
    if stage is None or entry not in stage.entries:
        return state
    groups = tuple(tuple(each for each in group if each != entry) for group in stage.groups)
    return with_stage(state, replace(stage, groups=groups))


class TakeBackEntryDecision(_Fields, EntryVerb, key="take-back-decision"):
    """Take back the last decision on an entry: approval, rejection, or admission from the waiting list.

    It applies or waits again. Refused once the entry is in a published round.
    """

    taken_back_by = ("approve", "reject", "admit")
    event = EntryDecisionTakenBack
    take_back_decision = Button(
        "Take back approval, rejection or admission",
        "The entries you tick apply or wait again, as before the last decision on them.",
        "Decide again.",
        part="entries",
        asks=("entry", "reason"),
        several=True,
    )

    @classmethod
    def candidates(cls, state: Competition) -> tuple[str, ...]:
        return _decided(state)
