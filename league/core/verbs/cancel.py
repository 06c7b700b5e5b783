"""Cancel: the competition ends without a winner."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.values import replace
from league.core.events import Ending, EndsGames
from league.core.state import values as v
from league.core.state.competition import Competition, Table
from league.core.verb import Button, Verb


@dataclass(frozen=True)
class _Fields:
    reason: v.Reason


class Cancelled(_Fields, EndsGames, type="cancelled"):
    """The competition is over without a winner; its standings remain."""

    title = "Competition cancelled"
    found_by = "called off, abandoned"
    text = "The competition is cancelled."
    announces = "competition_finished"

    def apply(self, state: Competition) -> Competition:
        return replace(state, status="cancelled", reason=self.reason, before_end=state.status)

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(table.id, self.reason) for table in _undecided(state))


def _undecided(state: Competition) -> Iterable[Table]:
    return (table for _, _, table in state.tables() if not table.decided)


class CancelCompetition(_Fields, Verb, key="cancel"):
    """End the competition without a winner; its running games are abandoned."""

    taken_back_by = ("reopen",)
    event = Cancelled
    cancel = Button(
        "Cancel the competition",
        "The competition ends without a winner. Results and standings remain visible.",
        "“Reopen the competition” reinstates it; games that were running must be replayed or get a result.",
        asks=("reason",),
        danger=True,
    )

    @classmethod
    def ends(cls, state: Competition, button: Button, table: str) -> Iterable[Table]:
        return _undecided(state)
