"""Line-ups: who of a team plays, in the order of its boards, from a round on."""

from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.course import has_next_round
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.updates import refuse_double, with_entry
from league.core.verb import Button, EntryVerb, Events, Given
from league.core.weighing import reseated


@dataclass(frozen=True)
class _LineUpFields:
    entry: v.EntryId
    players: v.Team


class LineUpSet(_LineUpFields, Event, type="line_up_set"):
    """From ``from_round`` on, by default the first unpublished round, these play for a team.

    The first sits at board 1. Everybody plays for their own points in a table over several evenings.
    """

    title = "Line-up"
    found_by = "order of boards, team, captain, lined up"
    said_by = ("organiser", "club")
    text = "Line-up of %(entry)s: %(players)s."
    text_later = "Line-up of %(entry)s from round %(from_round)s on: %(players)s."
    from_round: v.Count | None = None

    def joining(self) -> tuple[str, ...]:
        return self.players

    def apply(self, state: Competition) -> Competition:
        entry, size = state.entry(self.entry), state.opening.team_size
        if state.opening.lineup != "boards":
            raise Illegal("Only teams whose players sit at different tables have a line-up.")
        if entry.status != "entered":
            raise Illegal("Not taking part: %(name)s.", name=entry.name)
        if len({*self.players}) != len(self.players) or len(self.players) != size:
            raise Illegal("An entry here has %(size)d different players.", fields=["players"], size=size)
        since = state.upcoming(self.from_round or state.next_round)
        refuse_double(state, self.players, since, itself=entry.id)
        before = tuple(each for each in entry.lineups if each[0] < since)
        same = bool(before) and before[-1][1] == self.players
        now = replace(
            entry,
            lineups=before if same else (*before, (since, self.players)),
            owners=tuple(each for each in entry.owners if each[0] < since),
        )
        if now.owners_at(since) != self.players:
            now = replace(now, owners=(*now.owners, (since, self.players)))
        return reseated(with_entry(state, now))


class SetLineUp(_LineUpFields, EntryVerb, key="set-line-up"):
    """Say who plays for a team on boards, in the order of its boards, by default from the next round on.

    All are active players of the club; the line-up is public at once.
    """

    taken_back_by = ("set-line-up",)
    brings = "players"
    set_line_up = Button(
        "Set a line-up",
        "These play for the team from the next round on, the first at board 1. Everybody can read it.",
        "Set it again.",
        part="entries",
        asks=("entry", "players"),
    )

    from_round: v.FromRound = None

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.opening.lineup == "boards" and super().offered(state, button)

    def decide(self, state: Competition, given: Given) -> Events:
        given.names(self.players, "players.{}")
        first = state.next_change if has_next_round(state) else None
        return (LineUpSet(self.entry, self.players, self.from_round or first),)
