"""Void: a table does not count."""

from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import TableDecided
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition
from league.core.state.updates import decided, with_table
from league.core.verb import ANY_TABLE, UNDER_WAY, Button, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    reason: v.Reason


class Voided(_Fields, TableDecided, type="voided"):
    """A table does not count, as if it had not been drawn."""

    title = "Table void"
    found_by = "voided, annulled, does not count"
    text = "%(table)s (%(at_table)s) is void."
    announces = "result"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if table.void is not None:
            raise Illegal("This table is void already.")
        return with_table(state, decided(table, replace(table.decision, void=self.reason)))


class VoidTable(_Fields, Verb, key="void"):
    """Void a table: it does not count. A game that is still running is abandoned."""

    taken_back_by = ("reopen-table",)
    scope = "club:rule"
    ends_its_game = True
    event = Voided
    void = Button(
        "Void",
        "The table does not count, as if it had not been drawn. A game that is still running ends.",
        "“Reopen”, or set the result of the table.",
        statuses=UNDER_WAY,
        tables=tuple(status for status in ANY_TABLE if status != "void"),
        asks=("reason",),
        danger=True,
    )
