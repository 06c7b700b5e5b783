"""The day on which a round is played, and what follows for whoever is away then."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Final

from games.engine.messages import Message, both, text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Label
from games.engine.values import replace
from league.core import formats
from league.core.agreed import plan_now
from league.core.details import Day
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition, Entry, Round, RoundDay
from league.core.verb import UNDER_WAY, Button, Events, Given, Verb
from league.core.verbs.presence import Absent
from league.core.verbs.tables import Postponed

REASON: Final = text("Put off by the organisers.")
"""It is public, so it says nothing of who is away."""
FORMER_REASON: Final = text("Somebody of the table is away on the day of the round.")
"""What logs of before say, and can be read in every language."""


class RoundDaySet(Event, type="round_day_set"):
    """A round that is not published yet is played on a day, or on none that is known."""

    title = "Day of a round"
    found_by = "date, schedule, away"
    text = "Round %(round)s is played on %(day)s."
    text_put_off = "Round %(round)s is played on %(day)s. Tables of who is away then are put off."
    text_absent = "Round %(round)s is played on %(day)s. Who is away then is absent."
    text_none = "Round %(round)s has no day any more."
    stage: v.Count
    round: v.Count
    day: Day | None = None
    away: v.WhenAway = ""

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        if not fields.get("day"):
            return cls.text_none
        known = {"put_off": cls.text_put_off, "absent": cls.text_absent}
        return known.get(str(fields.get("away", "")), cls.text)

    def apply(self, state: Competition) -> Competition:
        at = state.round_point(self.round)
        if at[0] != self.stage or self.round < state.next_round:
            raise Illegal("Round %(round)d is published.", round=self.round)
        if self.away == "put_off" and not formats.of(state.plans[self.stage - 1]).postponable:
            raise Illegal("Tables of this format can't be put off: the next round needs their results.")
        others = [each for each in state.days if each.at != at]
        its_own = [RoundDay(at, self.day, self.away)] if self.day else []
        return replace(state, days=tuple(sorted([*others, *its_own], key=lambda each: each.at)))


class SetRoundDay(Verb, key="set-round-day"):
    """Set the day on which a round is played that is not published yet, by default the next one.

    Who is away then is known: the desk names them before the draw. With ``put_off`` their tables are put off
    when the round is published, so that no meeting is lost; with ``absent`` they are absent from the round
    when it is drawn. The log says neither who told so nor why.
    """

    taken_back_by = ("set-round-day",)
    set_round_day = Button(
        "Day of the round",
        "Everybody sees on which day the round is played; the desk tells you who is away then.",
        "Set another day, or none, until the round is published.",
        statuses=(*UNDER_WAY, "preparing", "entering"),
        part="round",
        asks=("round", "day", "away"),
        rank=75,
        rare=True,
    )

    day: Annotated[Day | None, Label("Day"), Help("null for none")]
    round: Annotated[v.Count | None, Label("Round"), Help("by default the next one")] = None
    away: Annotated[
        v.WhenAway,
        Label(
            "Who is away then",
            (
                ("", text("is only named to the organisers")),
                ("put_off", text("has their table put off")),
                ("absent", text("is absent from the round")),
            ),
        ),
        Help("tables are put off when the round is published; absences come before the draw"),
    ] = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return not formats.of(plan_now(state)).open_tables

    def decide(self, state: Competition, given: Given) -> Events:
        number = self.round or state.next_round
        if self.day:
            try:
                date.fromisoformat(self.day)
            except ValueError:
                raise Malformed({"day": [text("There is no such day.")]}) from None
        elif state.day_of(state.round_point(number)) is None:
            return ()
        away = self.away if self.day else ""
        return (RoundDaySet(state.round_point(number)[0], number, self.day, away),)


# ---- Who is away ---------------------------------------------------------------------------------


def entries_away(state: Competition, away: Collection[str]) -> Sequence[Entry]:
    """Return the entries of the next round with a player among those who are ``away`` on its day."""
    at = state.round_point(state.next_round)
    return [
        entry
        for entry in state.entries
        if entry.live and entry.takes_part(at) and not state.misses(entry, at)
        if not {*entry.lineup(at)}.isdisjoint(away)
    ]


def absences(state: Competition, away: Collection[str]) -> Iterator[Absent]:
    """Yield that those who are away are absent from the next round, where its day says so."""
    at = state.round_point(state.next_round)
    its_day = state.day_of(at)
    if its_day and its_day.away == "absent" and state.pending is None:
        yield from (Absent(entry.id, at[1]) for entry in entries_away(state, away))


def put_off(state: Competition, drawn: Round, away: Collection[str]) -> Iterator[Postponed]:
    """Yield that tables of who is away are put off, where the day of a drawn round says so."""
    its_day = state.day_of(state.round_point(drawn.number))
    if its_day is None or its_day.away != "put_off" or drawn.play_off:
        return
    for table in drawn.tables:
        if any(seat.player in away for seat in table.seats):
            yield Postponed(table=table.id, reason=REASON)


def away_told(state: Competition, away: Collection[str]) -> Message | None:
    """Return who is away on the day of the next round and what follows, None for nobody."""
    found = [entry.name for entry in entries_away(state, away)]
    if not found:
        return None
    names = both(found)
    its_day = state.day_of(state.round_point(state.next_round))
    match its_day.away if its_day else "":
        case "put_off":
            return text("Away on the day of the round: %(names)s. Their tables are put off.", names=names)
        case "absent" if not state.drawn_round:
            return text("Away on the day of the round: %(names)s. They will be absent.", names=names)
        case _:
            return text("Away on the day of the round: %(names)s.", names=names)
