"""Return: a withdrawn entry plays again."""

from games.engine.messages import Message, plural, text
from games.engine.values import replace
from league.core.course import has_next_round
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_double, refuse_if_full, with_status
from league.core.state.competition import Competition, Entry, Point
from league.core.state.updates import arrived, in_smallest_group, with_entry
from league.core.verb import Button, EntryVerb, Events, Given
from league.core.weighing import reseated


class Returned(Event, type="returned"):
    """A withdrawn entry takes part again from ``from_round`` on, by default the first round it can join.

    In the rounds between it did not belong to the stage. After the start it needs no check-in.
    """

    title = "Return"
    found_by = "returned, back again, plays again"
    text = "%(entry)s plays again."
    text_later = "%(entry)s plays again from round %(from_round)s on."
    entry: v.EntryId
    from_round: v.Count | None = None

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry plays again.", "%(count)d entries play again.", count)

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "withdrawn", text("Only a withdrawn entry can return."))
        usual = max(state.next_round, state.joining_round(self.entry))
        since = state.joining(self.from_round or usual, self.entry)
        refuse_double(state, entry.players, since, itself=entry.id)
        status = entry.was[-1] if entry.was else "entered"
        back = replace(entry, status=status, spells=_spells(entry, since), was=entry.was[:-1], expelled=False)
        if status != "entered":
            return with_entry(state, back)
        refuse_if_full(state)
        state = reseated(with_entry(state, arrived(state, back, since)))
        if state.stage and entry.id not in state.stage.entries:
            return in_smallest_group(state, entry.id)
        return state


def _spells(entry: Entry, since: Point) -> tuple[tuple[Point, Point | None], ...]:
    """Return the periods of an entry that returns; one that has not ended by then goes on."""
    if entry.spells and entry.spells[-1][1] is not None and since <= entry.spells[-1][1]:
        return (*entry.spells[:-1], (entry.spells[-1][0], None))
    return (*entry.spells, (since, None))


class ReturnEntry(EntryVerb, key="return-entry"):
    """Let a withdrawn entry play again, by default from the next round on.

    A withdrawal from a later round is taken back. One that waited or had applied does so again.

    Refused if all places are taken, or one of its players now plays for another entry.
    """

    taken_back_by = ("withdraw",)
    takes = ("withdrawn",)
    return_entry = Button(
        "Return",
        "The entries you tick play again from the next round on; in open play or a ladder, at once.",
        "You can withdraw an entry again.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        first = state.joining_round(self.entry) if has_next_round(state) else None
        return (Returned(self.entry, self.from_round or first),)
