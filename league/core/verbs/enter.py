"""Enter: an organiser enters a player or a team."""

from collections.abc import Mapping
from typing import Annotated

from games.engine.messages import Message, plural
from games.engine.shapes import Help, Length
from league.core.entering import NewEntry, first_round, own_name, start_point
from league.core.events import AND_PLAYERS, Event
from league.core.state import values as v
from league.core.state.checks import refuse_after_start, refuse_if_full
from league.core.state.competition import BEGINNING, Competition
from league.core.state.updates import in_smallest_group
from league.core.verb import Button, Events, Given, Verb


class Entered(NewEntry, Event, type="entered"):
    """An entry takes part, or with ``waiting`` joins the waiting list.

    After the start it is a *late entry*: it takes part from the unpublished round ``from_round`` on, in the
    smallest group, and gets no points for earlier rounds; or with ``next_stage`` from the next stage on.
    An empty name is that of its players, which is in no log.
    """

    title = "Entry"
    found_by = "entered, registered, signed up, joined, new player"
    said_by = AND_PLAYERS
    text = "%(name)s enters."
    text_waiting = "%(name)s enters and is on the waiting list."
    waiting: bool = False
    from_round: v.Count = 1
    next_stage: bool = False

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_waiting if fields.get("waiting") else cls.text

    @classmethod
    def sentence_of_many(cls, count: int) -> Message:
        return plural("%(count)d entry was added.", "%(count)d entries were added.", count)

    def apply(self, state: Competition) -> Competition:
        if self.waiting:
            refuse_after_start(state)
            return self.added(state, "waiting", BEGINNING)
        refuse_if_full(state)
        since = start_point(state, self.from_round, self.next_stage)
        if self.next_stage:
            return self.added(state, "entered", since)
        return in_smallest_group(self.added(state, "entered", since), self.entry)


def entered(
    state: Competition, given: Given, team: v.Team, name: str, affiliation: str, from_round: int | None
) -> Entered:
    """Return the event that enters a team; it joins the waiting list if all places are taken."""
    names = given.names(team, "players.{}")
    first, next_stage = first_round(state, from_round)
    waiting = not state.started and state.full
    entry = given.id_for(f"entry {state.seq + 1}")
    return Entered(entry, own_name(name, names), team, affiliation, waiting, first, next_stage)


class EnterPlayers(Verb, key="enter"):
    """Enter a player or a team of the club; an entry without a name gets its players' names.

    The order of a team's players is its line-up: on boards the first player sits at board 1. Draws keep
    entries with the same affiliation apart. The entry joins the waiting list if all places are taken. After
    the start it is a late entry, by default from the next round on. Refused while the same players have a
    withdrawn entry in that stage: it can return.
    """

    taken_back_by = ("withdraw",)
    brings = "players"

    players: Annotated[v.Team, Help("ids of players in line-up order")]
    name: Annotated[str, Length(0, 100), Help("by default the players' names")] = ""
    affiliation: v.Affiliation = ""
    from_round: v.FromRound = None

    enter = Button(
        "Enter players",
        "The players you tick take part; after the start, from the next round on, "
        "or at once in open play and ladders.",
        "You can withdraw an entry.",
        part="entries",
        asks=("players",),
    )
    enter_team = Button(
        "Enter a team",
        "The team takes part; after the start, from the next round on, or at once in open play and ladders.",
        "You can withdraw an entry.",
        part="entries",
        asks=("players", "name", "affiliation"),
    )
    enter_names = Button(
        "Enter a list of names",
        "All players on the list take part; after the start, from the next round on, "
        "or at once in open play and ladders.",
        "You can withdraw an entry.",
        part="entries",
        asks=("players",),
    )

    def decide(self, state: Competition, given: Given) -> Events:
        return (entered(state, given, self.players, self.name, self.affiliation, self.from_round),)

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return (button.key == "enter-team") == (state.opening.lineup != "single")
