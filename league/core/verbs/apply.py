"""Enter oneself: players enter themselves or their team while entries are open."""

from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Length
from league.core.entering import NewEntry, own_name
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import BEGINNING, Competition, Entry
from league.core.verb import Events, Given, OwnButton, Verb, changes_something
from league.core.verbs.enter import entered


class Applied(NewEntry, Event, type="applied"):
    """A player applies; the entry waits for an organiser's approval."""

    title = "Application"
    found_by = "applied, registered, signed up"
    said_by = ("player",)
    text = "%(name)s applies."

    def apply(self, state: Competition) -> Competition:
        _refuse_unless_open(state)
        return self.added(state, "applied", BEGINNING)


class ApplyForEntry(Verb, key="enter"):
    """Enter yourself, or a team of the club's players that includes you, while entries are open.

    Depending on the competition the entry takes part at once, needs an organiser's approval, or joins the
    waiting list. Nothing changes if these players have an entry already.
    """

    audience = "players"
    brings = "players"
    own = ("players", "name", "affiliation")
    own_button = OwnButton("Enter this competition", "Press the button to take part.", rank=0)

    players: Annotated[tuple[v.PlayerId, ...], Length(0, v.MAX_TEAM), Help("by default only yourself")] = ()
    name: Annotated[str, Length(0, 100), Help("by default the players' names")] = ""
    affiliation: v.Affiliation = ""

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        if entry is not None:
            return False
        if state.opening.team_size > 1:
            # Whether its players are free is checked when the team enters.
            return state.entries_open
        return changes_something(state, cls(), given)

    def decide(self, state: Competition, given: Given) -> Events:
        team = self.players or ((given.player,) if given.player else ())
        if given.player not in team:
            raise Malformed({"players": [text("You can enter only teams in which you play.")]})
        existing = state.entry_with(team[0])
        if existing and existing.live and existing.players == team:
            return ()
        _refuse_unless_open(state)
        if not state.opening.entering.approval:
            return (entered(state, given, team, self.name, self.affiliation, None),)
        name = own_name(self.name, given.names(team, "players.{}"))
        return (Applied(given.id_for(f"entry {state.seq + 1}"), name, team, self.affiliation),)


def _refuse_unless_open(state: Competition) -> None:
    """Raise `Illegal` where players can't enter themselves now."""
    if not state.entries_open:
        raise Illegal("Entries are not open.")
    if state.started and any(entry.status == "waiting" for entry in state.entries):
        raise Illegal("Others are on the waiting list: ask an organiser.")
