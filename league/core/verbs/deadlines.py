"""Set the deadline of a round, and give one table more time than the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from games.engine.common_moves import MOST_MORE
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label
from games.engine.values import replace
from league.core import course
from league.core.events import AND_SCOREKEEPERS, Event, SetsClocks
from league.core.state import values as v
from league.core.state.competition import Competition
from league.core.state.updates import begun_stage, played_round, published_table, with_round, with_table
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb

# ---- The deadline of a round ---------------------------------------------------------------------


class DeadlineSet(Event, type="deadline_set"):
    """The current round gets another deadline, or none."""

    title = "Deadline"
    found_by = "time limit, extended, due date"
    text = "The deadline of round %(round)s is set: %(deadline)s."
    text_before = "The deadline of round %(round)s is changed: %(before)s → %(deadline)s."
    about = ("stage", "round")
    replaces = ("published", "deadline_set")
    stage: v.Count
    round: v.Count
    deadline: v.Time | None = None
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        # Also while the competition is paused: the pause may be the reason.
        stage, played = played_round(state, self.stage, self.round)
        return with_round(state, stage, replace(played, deadline=self.deadline))


class SetDeadline(Verb, key="set-deadline"):
    """Set the deadline of the current round; null for none. This works during a pause too."""

    taken_back_by = ("set-deadline",)
    set_deadline = Button(
        "Set the deadline",
        "The current round must be finished by then. All players see the deadline.",
        "You can set it again at any time.",
        statuses=UNDER_WAY,
        part="round",
        asks=("deadline", "reason"),
    )

    deadline: Annotated[v.Instant | None, Label("Deadline"), Help("null for none")]
    reason: v.Note = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.current_round is not None

    def decide(self, state: Competition, given: Given) -> Events:
        until = course.read_deadline(self.deadline, given.now)
        stage = begun_stage(state)
        return (DeadlineSet(stage.number, len(stage.shown_rounds), until, self.reason),)


# ---- Time for one table --------------------------------------------------------------------------


@dataclass(frozen=True)
class _TimeFields:
    table: v.TableId
    minutes: Annotated[int, Between(-MOST_MORE, MOST_MORE), Label("Minutes"), Help("fewer again if negative")]
    reason: v.Note = ""


class TimeGiven(_TimeFields, SetsClocks, type="time_given"):
    """A table may play some minutes longer than its round, or with fewer than none no longer so many."""

    title = "Time for a table"
    found_by = "extra time, extension, minutes more"
    said_by = AND_SCOREKEEPERS
    text = "%(table)s (%(at_table)s) has %(minutes)s min more."
    text_fewer = "%(table)s (%(at_table)s) no longer has as much time: %(minutes)s min."

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        minutes = fields["minutes"]
        return cls.text_fewer if isinstance(minutes, int) and minutes < 0 else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if table.decided or state.table(self.table)[1].status == "closed":
            raise Illegal("Only a table that is still played can have more time.", fields=["table"])
        if table.to_come:
            raise Illegal("A table that is put off has a deadline of its own.", fields=["table"])
        more = table.more_minutes + self.minutes
        if not 0 <= more <= MOST_MORE:
            sentence = text("A table can have from 0 to %(most)d minutes more in all.", most=MOST_MORE)
            raise Malformed({"minutes": [sentence]})
        return with_table(state, replace(table, more_minutes=more))

    def clock_move(self) -> JsonObject:
        return {"type": "give_time", "minutes": self.minutes}


class GiveTime(_TimeFields, Verb, key="give-time"):
    """Give one table some minutes more than its round has: its deadline and its timer follow.

    So do the clocks of all seats in its games on the site.
    """

    audience = "scorekeepers_undecided"
    scope = "club:rule"
    taken_back_by = ("give-time",)
    event = TimeGiven
    give_time = Button(
        "More time",
        "This table may play so many minutes longer than the others. Everybody sees it.",
        "Give it as many minutes fewer: −5 takes 5 back.",
        statuses=UNDER_WAY,
        tables=("playing",),
        asks=("minutes", "reason"),
    )
