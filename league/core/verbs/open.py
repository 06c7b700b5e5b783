"""Open entries: players can enter themselves."""

from league.core.events import Event
from league.core.state.checks import with_entries
from league.core.state.competition import Competition
from league.core.verb import Button, Verb


class EntriesOpened(Event, type="entries_opened"):
    """Players can enter themselves. Organisers can enter players at any time."""

    title = "Entries opened"
    found_by = "registration opened"
    text = "Entries are open."

    def apply(self, state: Competition) -> Competition:
        return with_entries(state, "entering")


class OpenEntries(Verb, key="open"):
    """Open entries: players can enter themselves until the start, or until entries are closed.

    In open play and ladders they stay open while a round is played, and can be opened in it.
    """

    taken_back_by = ("close-entries",)
    event = EntriesOpened
    open = Button(
        "Open entries",
        "Players with an account can enter themselves from now on.",
        "You can close entries at any time.",
        part="entries",
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return (state.open_ended and state.before_start != "entering") or state.status == "preparing"
