"""Reopen a table: the last decision on it, a ruling, a walkover or a void, is taken back."""

from dataclasses import dataclass

from games.engine.refusals import Illegal
from league.core.events import DECISIONS, Event
from league.core.state import values as v
from league.core.state.checks import published_table, refuse_undecided_in_closed_round
from league.core.state.competition import Competition, Table
from league.core.state.updates import with_table, without_decision
from league.core.verb import ANY_TABLE, UNDER_WAY, Button, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    reason: v.Reason


class TableReopened(_Fields, Event, type="table_reopened"):
    """The last ruling, walkover or void of a table is taken back: what it replaced counts again.

    Games that the decision ended stay abandoned; without another result the table waits for an organiser.
    """

    title = "Decision on a table taken back"
    found_by = "table reopened, undone, ruling withdrawn, correction"
    about = ("table",)
    replaces = DECISIONS
    takes_back = True
    text = "%(table)s: the last decision is taken back."
    text_before = "%(table)s: the last decision is taken back: %(before)s → %(after)s."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if not table.earlier:
            raise Illegal("No set result, walkover or void decides this table.")
        before = without_decision(table)
        refuse_undecided_in_closed_round(state, before)
        return with_table(state, before)


class ReopenTable(_Fields, Verb, key="reopen-table"):
    """Take back the last ruling, walkover or void of a table: what it replaced counts again.

    Games that it ended stay abandoned: the table then needs a replay or another decision. Refused in a closed
    round if the table would not be decided.
    """

    taken_back_by = ("rule", "walk-over", "void")
    scope = "club:rule"
    event = TableReopened
    reopen_table = Button(
        "Reopen",
        "The last set result, walkover or void of the table is taken back; what it replaced counts again. "
        "A game that it ended stays ended: replay it, or decide the table again.",
        "Decide the table again.",
        statuses=UNDER_WAY,
        tables=ANY_TABLE,
        asks=("reason",),
        danger=True,
    )

    @classmethod
    def fits(cls, table: Table) -> bool:
        return bool(table.earlier)
