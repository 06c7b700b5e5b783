"""Open entries: players can enter themselves."""

from games.engine.values import replace
from league.core.events import Event
from league.core.state.checks import refuse_after_start
from league.core.state.competition import Competition
from league.core.verb import Button, Verb


class EntriesOpened(Event, type="entries_opened"):
    """Players can enter themselves. Organisers can enter players at any time."""

    title = "Entries opened"
    found_by = "registration opened"
    text = "Entries are open."

    def apply(self, state: Competition) -> Competition:
        refuse_after_start(state)
        return replace(state, status="entering")


class OpenEntries(Verb, key="open"):
    """Open entries: players can enter themselves."""

    taken_back_by = ("close-entries",)
    event = EntriesOpened
    open = Button(
        "Open entries",
        "Players with an account can enter themselves from now on.",
        "You can close entries at any time before the start.",
        statuses=("preparing",),
        part="entries",
    )
