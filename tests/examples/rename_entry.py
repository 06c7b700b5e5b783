"""Rename: an entry goes by another name. The example of docs/adding-a-verb.md."""

from dataclasses import dataclass, replace

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.updates import with_entry
from league.core.verb import Button, EntryVerb, OwnButton


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    name: v.Name


class Renamed(_Fields, Event, type="renamed"):
    """An entry goes by another name from here on."""

    title = "Entry renamed"
    found_by = "new name, other name"
    said_by = AND_PLAYERS
    text = "An entry is called %(name)s now."

    def apply(self, state: Competition) -> Competition:
        if any(entry.live and entry.name == self.name for entry in state.entries if entry.id != self.entry):
            raise Illegal(text("There is an entry named %(name)s already.", name=self.name))
        return with_entry(state, replace(state.entry(self.entry), name=self.name, own_name=self.name))


class RenameEntry(_Fields, EntryVerb, key="rename"):
    """Give an entry another name, which no other entry has."""

    event = Renamed
    own = ("name",)
    own_button = OwnButton(
        "Rename", "Your entry goes by this name everywhere.", "Your entry has its new name."
    )
    rename = Button(
        "Rename an entry",
        "The entry goes by this name everywhere, in standings of earlier rounds too.",
        "Rename it once more.",
        part="entries",
        asks=("entry", "name"),
    )
