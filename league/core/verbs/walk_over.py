"""Walkover: a table is not played because some of its entries did not come."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from games.engine.refusals import Illegal
from games.engine.shapes import Label, Length
from league.core.events import AND_SCOREKEEPERS, TableDecided
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, Decision, Outcome
from league.core.state.updates import decided, with_table
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY, Button, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    entries: Annotated[tuple[v.EntryId, ...], Length(1, 10), Label("Present entries")]
    reason: v.Note = ""


class WalkedOver(_Fields, TableDecided, type="walked_over"):
    """A table is not played: ``entries`` were present and have a walkover, the others are no-shows."""

    title = "Walkover"
    found_by = "won without playing, did not come, no-show"
    said_by = AND_SCOREKEEPERS
    text = "%(table)s is a walkover for %(entries)s."
    text_others = "%(table)s is a walkover for %(entries)s. Not there: %(others)s."
    announces = "result"

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_others if fields.get("others") else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if not {*self.entries} <= {*table.entries}:
            raise Illegal("Only an entry of the table can be given a walkover.")
        outcomes: list[tuple[str, Outcome]] = [
            (entry, "walkover" if entry in self.entries else "no_show") for entry in table.entries
        ]
        return with_table(state, decided(table, Decision(outcomes=tuple(outcomes), walked_over=True)))


class AwardWalkover(_Fields, Verb, key="walk-over"):
    """Decide a table without a game: ``entries`` were present and have a walkover, the others are no-shows.

    A game that is still running is abandoned.
    """

    taken_back_by = ("reopen-table",)
    scope = "club:rule"
    event = WalkedOver
    audience = "scorekeepers_undecided"
    walk_over = Button(
        "Walkover",
        "The table is not played. The entries you tick were present, the others were not. Its game ends.",
        "“Reverse the walkover” or “Reopen”; a game that it ended must then be replayed or get a result.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("entries", "reason"),
        danger=True,
    )
    turn_round = Button(
        "Reverse the walkover",
        "The walkover was given to the wrong entry: those you tick were present, the others were not.",
        "Reverse it again, or “Reopen”.",
        statuses=UNDER_WAY,
        tables=("walkover",),
        asks=("entries", "reason"),
        danger=True,
    )
