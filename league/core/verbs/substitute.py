"""Substitute: another player plays for an entry."""

from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Label
from games.engine.values import replace
from league.core.course import has_next_round
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import refuse_double
from league.core.state.competition import Competition
from league.core.state.updates import with_entry
from league.core.verb import Button, EntryVerb, Events, Given
from league.core.weighing import reseated


@dataclass(frozen=True)
class _Fields:
    entry: v.EntryId
    out: Annotated[v.PlayerId, Label("Who leaves")]
    into: Annotated[v.PlayerId, Label("Who plays instead")]
    reason: v.Note = ""


class Substituted(_Fields, Event, type="substituted"):
    """From ``from_round`` on another player plays for the entry, which keeps its results.

    By default that is the first unpublished round.
    """

    title = "Substitute"
    found_by = "substitution, replacement, replaced, stand-in"
    text = "%(into)s plays for %(entry)s in place of %(out)s."
    text_later = "%(into)s plays for %(entry)s in place of %(out)s from round %(from_round)s on."
    from_round: v.Count | None = None

    def joining(self) -> tuple[str, ...]:
        return (self.into,)

    def apply(self, state: Competition) -> Competition:
        entry = state.entry(self.entry)
        if entry.status != "entered":
            raise Illegal(text("%(name)s does not take part.", name=entry.name))
        if self.out not in entry.players:
            raise Illegal(text("Only a player of %(name)s can be replaced.", name=entry.name))
        since = state.upcoming(self.from_round or state.next_round)
        refuse_double(state, [self.into], since)
        players = tuple(self.into if player == self.out else player for player in entry.players)
        before = tuple(each for each in entry.lineups if each[0] < since)
        same = bool(before) and before[-1][1] == players
        lineups = before if same else (*before, (since, players))
        return reseated(with_entry(state, replace(entry, lineups=lineups)))


class SubstitutePlayer(_Fields, EntryVerb, key="substitute"):
    """Let another player of the club play for an entry, by default from the next round on."""

    taken_back_by = ("substitute",)
    brings = "into"
    substitute = Button(
        "Substitute",
        "Another player plays for the entry from the next round on. The entry keeps its results.",
        "Substitute again, the other way round.",
        part="entries",
        asks=("out", "into", "reason"),
    )

    from_round: v.FromRound = None

    def decide(self, state: Competition, given: Given) -> Events:
        given.names([self.into], "into")
        first = state.next_change if has_next_round(state) else None
        fields = {**vars(self), "from_round": self.from_round or first}
        return (Substituted(**fields),)
