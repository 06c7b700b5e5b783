"""Postpone: a table is put off, its meeting counts, and its result enters later."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Label
from games.engine.values import replace
from league.core import deadlines, formats
from league.core.events import SetsClocks
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, Postponement
from league.core.state.updates import with_table
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY, Button, Events, Given, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    reason: v.Reason


class Postponed(_Fields, SetsClocks, type="postponed"):
    """A table is put off: its round can close without it, and its result enters later.

    The clocks of its game stop. A table that is put off again gets the new deadline and reason.
    """

    title = "Table put off"
    found_by = "postponed, adjourned, rescheduled, late game"
    text = "%(table)s (%(at_table)s) is put off."
    text_deadline = "%(table)s (%(at_table)s) is put off. Deadline: %(deadline)s."
    clocks = "stop_clocks"
    deadline: v.Time | None = None

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_deadline if fields.get("deadline") else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        stage, its_round, _table = state.table(self.table)
        format_ = formats.of(stage.plan)
        if not format_.postponable:
            raise Illegal(
                text(
                    "A table of this format (%(format)s) can't be put off: the next round needs its result. "
                    "Set a later deadline for the round instead.",
                    format=format_.title,
                ),
                fields=["table"],
            )
        if its_round.play_off:
            raise Illegal("A play-off can't be put off: who advances depends on it.", fields=["table"])
        if table.decided:
            raise Illegal("The table is decided: only an undecided table can be put off.", fields=["table"])
        return with_table(state, replace(table, postponement=Postponement(self.reason, self.deadline)))


class PostponeTable(_Fields, Verb, key="postpone"):
    """Put a table off. It counts as met, its round can close, and the result of its game enters later.

    The clocks of the game stop. If it still runs at the ``deadline``, the competition's `overdue` says what
    happens. Neither the stage nor the competition ends before the table is decided. Refused in knockouts.
    """

    taken_back_by = ("end-postponement",)
    postpone = Button(
        "Put off",
        "The round can be closed without this table. Its players finish the same game later.",
        "“Play now after all” while the round is open; otherwise set the result or void the table.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("deadline", "reason"),
    )

    deadline: Annotated[
        v.Instant | None, Label("To be played by"), Help("left out: until the stage is to end")
    ] = None

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.stage is not None and formats.of(state.stage.plan).postponable

    def decide(self, state: Competition, given: Given) -> Events:
        until = deadlines.read(self.deadline, given.now)
        return (Postponed(table=self.table, reason=self.reason, deadline=until),)
