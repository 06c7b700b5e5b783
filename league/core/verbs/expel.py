"""Expel: an organiser puts an entry out of the competition."""

from collections.abc import Iterator
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Label
from league.core.course import has_next_round
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.verb import UNDER_WAY, Button, EntryVerb, Events, Given
from league.core.verbs.forfeit import Forfeited
from league.core.verbs.void import Voided
from league.core.verbs.withdraw import Withdrawn


class ExpelEntry(EntryVerb, key="expel"):
    """Expel an entry: it forfeits the tables that it is playing at, and plays no more.

    Its played results stay, unless ``annul`` makes all its tables of the current stage void, those that it
    was playing at too; the results of the others there then don't count either.
    """

    taken_back_by = ("return-entry", "take-back-outcome", "reopen-table")
    expel = Button(
        "Expel",
        "The entry forfeits the tables that it is playing at, and plays no more. Its results stay, "
        "unless you annul all of them; the preview shows what that changes.",
        "“Return” lets it play again; “Take back no-show or forfeit” or “Reopen” each table.",
        statuses=UNDER_WAY,
        part="entries",
        asks=("entry", "reason", "annul"),
        danger=True,
    )

    reason: v.Reason
    annul: Annotated[
        bool, Label("Annul all its results"), Help("its tables of this stage become void, for the others too")
    ] = False

    def decide(self, state: Competition, given: Given) -> Events:
        entry = state.entry(self.entry)
        if entry.status != "entered":
            raise Illegal(text("%(name)s does not take part.", name=entry.name))
        first = state.next_change if state.stage and has_next_round(state) else None
        return *self._tables(state), Withdrawn(self.entry, first, self.reason, expelled=True)

    def _tables(self, state: Competition) -> Iterator[Event]:
        for each in state.stage.shown_rounds if state.stage else ():
            for table in each.tables:
                if self.entry not in table.entries or table.void is not None:
                    continue
                if self.annul:
                    yield Voided(table.id, self.reason)
                elif not table.decided and self.entry not in table.outcome_of:
                    yield Forfeited(table.id, self.entry, self.reason)
