"""Set a result: an organiser or scorekeeper decides a table."""

from dataclasses import dataclass
from typing import Annotated

from games.engine.shapes import Length
from league.core.events import TableDecided
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, Decision, Result
from league.core.state.plan import Placing
from league.core.state.updates import decided, with_table
from league.core.verb import ANY_TABLE, UNDER_WAY, Button, Verb
from league.core.verbs.result import in_seat_order


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    seats: Annotated[tuple[Placing, ...], Length(1, 10)]
    reason: v.Reason


class Ruled(_Fields, TableDecided, type="ruled"):
    """A ruling: this result of a table replaces those of its games. A later ruling replaces it."""

    text = "%(table)s: the result is set."
    webhook = "result"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        ruling = Result(in_seat_order(table, self.seats), state.seq + 1)
        return with_table(state, decided(table, Decision(ruling)))


class SetResult(_Fields, Verb, key="rule"):
    """Set the result of a table: a rank and a score for each seat. It replaces the results of its games.

    A game that is still running is abandoned.
    """

    taken_back_by = ("reopen-table",)
    event = Ruled
    audience = "scorekeepers_undecided"
    rule = Button(
        "Set the result",
        "This result replaces those of the table’s games. A game that is still running ends.",
        "Set it again, or “Reopen”: then what it replaced counts again.",
        statuses=UNDER_WAY,
        tables=ANY_TABLE,
        asks=("seats", "reason"),
    )
