"""Return: a withdrawn entry plays again."""

from dataclasses import replace

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_double, refuse_if_full, with_status
from league.core.state.competition import Competition
from league.core.state.updates import in_smallest_group, with_entry, without_draw
from league.core.verb import Button, EntryVerb, Events, Given


class Returned(Event, type="returned"):
    """A withdrawn entry takes part again from ``from_round`` on.

    In the rounds between it did not belong to the stage.
    """

    text = "%(entry)s plays again from round %(from_round)s on."
    entry: v.EntryId
    from_round: v.Count

    def apply(self, state: Competition) -> Competition:
        entry = with_status(state, self.entry, "withdrawn", text("Only a withdrawn entry can return."))
        refuse_if_full(state)
        since = state.upcoming(self.from_round)
        refuse_double(state, entry.players, since, itself=entry.id)
        if entry.spells and entry.spells[-1][1] is not None and since < entry.spells[-1][1]:
            raise Illegal(
                text("%(name)s still takes part in round %(round)d.", name=entry.name, round=self.from_round)
            )
        back = replace(entry, status="entered", spells=(*entry.spells, (since, None)))
        state = with_entry(without_draw(state, since), back)
        if state.stage and entry.id not in state.stage.entries:
            return in_smallest_group(state, entry.id)
        return state


class ReturnEntry(EntryVerb, key="return-entry"):
    """Let a withdrawn entry play again, by default from the next round on.

    Refused if all places are taken, or one of its players now plays for another entry.
    """

    takes = ("withdrawn",)
    return_entry = Button(
        "Return",
        "The entries you tick play again from the next round on.",
        "You can withdraw an entry again.",
        part="entries",
        asks=("entry",),
        several=True,
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        return (Returned(self.entry, self.from_round or state.next_round),)
