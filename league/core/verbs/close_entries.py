"""Close entries: only organisers can enter players."""

from league.core.events import Event
from league.core.state.checks import with_entries
from league.core.state.competition import Competition
from league.core.verb import Button, Verb


class EntriesClosed(Event, type="entries_closed"):
    """Players can no longer enter themselves; organisers still can enter players."""

    title = "Entries closed"
    found_by = "registration closed"
    text = "Entries are closed."

    def apply(self, state: Competition) -> Competition:
        return with_entries(state, "preparing")


class CloseEntries(Verb, key="close-entries"):
    """Close entries: from now on only organisers can enter players."""

    taken_back_by = ("open",)
    event = EntriesClosed
    close_entries = Button(
        "Close entries",
        "Only organisers can enter players from now on.",
        "“Open entries” again.",
        part="entries",
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.entries_open
