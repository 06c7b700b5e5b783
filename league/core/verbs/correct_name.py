"""Correct a name: an entry's name was misspelt."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.entering import joined, named_after
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_taken_name
from league.core.state.competition import Competition
from league.core.state.updates import with_entry
from league.core.verb import LIVE, Button, EntryVerb, Events, Given


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    name: v.Name


class NameCorrected(_Fields, Event, type="name_corrected"):
    """The name ``former`` of an entry was misspelt: it has another one everywhere, in earlier rounds too.

    This can be after the end, and changes no standings. An empty name is that of its players.
    """

    title = "Name corrected"
    found_by = "renamed, rename, misspelt, typing error, spelling, new name"
    text = "%(former)s is now written %(name)s."
    text_first = "An entry has a name of its own: %(name)s."
    after_end = True
    name: v.OwnName
    former: v.OwnName

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text if fields.get("former") else cls.text_first

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if entry.own_name != self.former:
            raise Illegal(text("The entry is named %(name)s.", name=entry.name))
        if entry.live:
            refuse_taken_name(state, self.name, itself=entry.id)
        return with_entry(state, replace(entry, name=self.name, own_name=self.name))


class CorrectName(_Fields, EntryVerb, key="correct-name"):
    """Correct the name of an entry, also after the end.

    Entries that are named after their players follow by themselves when the name of a player is changed.
    """

    taken_back_by = ("correct-name",)
    takes = ("applied", "rejected", "waiting", "entered", "withdrawn")
    correct_name = Button(
        "Correct a name",
        "The entry has this name everywhere: in rounds that were published, standings and prints, too. "
        "The log says both names. If the name of a player is wrong, correct it in the player’s form instead.",
        "Correct it once more.",
        statuses=(*LIVE, "finished", "cancelled"),
        part="entries",
        asks=("entry", "name"),
    )

    def decide(self, state: Competition, given: Given) -> Events:
        entry = state.entry(self.entry)
        return (NameCorrected(self.entry, self.name, entry.own_name),) if entry.name != self.name else ()


def corrections(
    state: Competition, names: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[NameCorrected]:
    """Yield what corrects the entries whose names were made from those of players who have others now.

    ``names`` and ``now`` are the names of players by their ids, before and after. The log is told those only
    of an entry whose first players are not the ones that it is named after.
    """
    for entry in state.entries:
        players = named_after(entry, names)
        if players and any(names.get(player) != now.get(player) for player in players):
            name = "" if players == entry.lineups[0][1] else joined([now.get(each, "") for each in players])
            yield NameCorrected(entry.id, name, entry.own_name)
