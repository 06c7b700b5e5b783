"""End a postponement: a table that was put off is played in its round after all."""

from dataclasses import dataclass

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.events import SetsClocks
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition
from league.core.state.updates import with_table
from league.core.verb import UNDER_WAY, Button, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    reason: v.Note = ""


class PostponementEnded(_Fields, SetsClocks, type="postponement_ended"):
    """A table is not put off any more: its round waits for it, and the clocks of its game run again."""

    title = "Postponement ended"
    found_by = "put off no longer, rescheduled"
    text = "%(table)s (%(at_table)s) is played in its round after all."
    clocks = "start_clocks"

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if not table.to_come:
            raise Illegal("This table is not put off.", fields=["table"])
        if state.table(self.table)[1].status == "closed":
            raise Illegal(
                "The round of this table is closed: the table stays put off until it is decided.",
                fields=["table"],
            )
        return with_table(state, replace(table, postponement=None))


class EndPostponement(_Fields, Verb, key="end-postponement"):
    """Let a table that was put off be played in its round after all; refused once the round is closed."""

    taken_back_by = ("postpone",)
    event = PostponementEnded
    end_postponement = Button(
        "Play now after all",
        "The round waits for this table again, and the clocks of its game run again.",
        "Put the table off again.",
        statuses=UNDER_WAY,
        tables=("postponed",),
        asks=("reason",),
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.current_round is not None
