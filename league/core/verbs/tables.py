"""Open, postpone and reopen tables, and set their deadlines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Label, Length, Named
from games.engine.values import replace
from league.core import course, formats
from league.core.events import AND_SERVER, DECISIONS, Event, SetsClocks
from league.core.open_tables import table_opened, tables_of_waiting
from league.core.state import values as v
from league.core.state.competition import Competition, Entry, Point, Postponement, Round, Table
from league.core.state.updates import (
    begun_stage,
    published_table,
    refuse_undecided_in_closed_round,
    with_table,
    without_decision,
)
from league.core.verb import (
    ANY_TABLE,
    RUNNING,
    UNDECIDED_TABLE,
    UNDER_WAY,
    Button,
    Events,
    Given,
    OwnButton,
    Verb,
)

# ---- Open table ----------------------------------------------------------------------------------


class OpenTable(Verb, key="open-table"):
    """Open a table of open play or a ladder, with its game, for entries in seat order.

    Refused if the stage's tables are drawn, no round is being played, its deadline has passed, or the format
    does not allow these entries to meet.
    """

    taken_back_by = ("void",)
    until_deadline = True
    own = ("entries", "key")
    own_button = OwnButton(
        "Open a table",
        "The table opens at once. The players you choose sit before you.",
        "The table is open.",
        rank=40,
    )
    open_table = Button(
        "Open a table",
        "A table opens at once for the entries you tick. The first of them has the first seat.",
        "You can void the table.",
        statuses=RUNNING,
        part="round",
        steps=("play", "rule"),
        asks=("entries",),
    )

    entries: Annotated[tuple[v.EntryId, ...], Length(1, 10), Label("Who plays"), Help("in seat order")]
    once: Annotated[
        str,
        Length(0, 100),
        Named("key"),
        Help("any text that is different for each table: a retry with it opens no second table"),
    ] = ""

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        stage = state.stage
        return bool(stage and stage.current_round and formats.of(stage.plan).open_tables)

    @classmethod
    def open_to_player(cls, state: Competition, given: Given, entry: Entry | None) -> bool:
        stage = state.stage
        if entry is None or stage is None or stage.current_round is None or state.status != "running":
            return False
        plays = entry.plays((stage.number, stage.current_round.number))
        return (
            plays
            and not formats.of(stage.plan).seats_waiting
            and entry.id not in state.outside
            and not course.deadline_passed(stage.current_round, given.now)
            and formats.of(stage.plan).open_tables
            and formats.of(stage.plan).answering(stage.plan) is None
        )

    def decide(self, state: Competition, given: Given) -> Events:
        if given.role == "player" and not _sits(state, given, self.entries):
            raise Malformed({"entries": [text("You can open only tables at which you sit.")]})
        if course.deadline_passed(state.current_round, given.now):
            raise Illegal("The time for this round is over.")
        if given.role == "player" and formats.of(begun_stage(state).plan).answering(begun_stage(state).plan):
            raise Illegal("Here whom you challenge answers first: use “Challenge somebody”.")
        table = given.id_for(f"table {self.once or state.seq + 1}")
        stage = begun_stage(state)
        opened = next((each for _, _, each in state.tables() if each.id == table), None)
        if opened and opened.entries == self.entries:
            return ()
        if opened:
            raise Illegal("The key opened another table before. Send another key with other entries.")
        if current := stage.current_round:
            refuse_missing(state, (stage.number, current.number), self.entries)
            if given.role == "player":
                _refuse_challenge(state, current, given, self.entries)
        games = [given.first_game(table)]
        return (table_opened(state, table=table, entries=self.entries, games=games),)


# ---- Seat those who wait -------------------------------------------------------------------------


class SeatWaiting(Verb, key="seat-waiting"):
    """Open tables for all who wait in a drop-in stage, at smaller tables where need be.

    Refused where too few wait for the smallest table.
    """

    taken_back_by = ("void",)
    seat_waiting = Button(
        "Seat who waits",
        "Tables open now for those who wait, smaller ones where they do not fill another.",
        "You can void the table.",
        statuses=RUNNING,
        part="round",
        steps=("play", "rule"),
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return bool(state.current_round and state.current_round.queue)

    def decide(self, state: Competition, given: Given) -> Events:
        if course.deadline_passed(state.current_round, given.now):
            raise Illegal("The time for this round is over.")
        tables = [*tables_of_waiting(state, given.now, given.wishes, smaller=True)]
        if not tables:
            stage = begun_stage(state)
            if formats.of(stage.plan).next_table(state, stage, smaller=True):
                raise Illegal("No table for those who wait keeps their wishes.")
            raise Illegal("Too few wait for a table.")
        return tables


def refuse_missing(state: Competition, at: Point, entries: Sequence[str]) -> None:
    """Raise `Illegal` with the reason where one of the entries does not play in the round."""
    outside = state.outside
    for entry in map(state.entry, entries):
        if entry.plays(at) and entry.id not in outside:
            continue
        if entry.expelled:
            raise Illegal("Expelled: %(name)s.", name=entry.name)
        if entry.status == "withdrawn":
            raise Illegal("Withdrawn: %(name)s.", name=entry.name)
        if entry.id in outside:
            raise Illegal("Not playing in this stage: %(name)s.", name=entry.name)
        raise Illegal("Missing from this round: %(name)s.", name=entry.name)


def _refuse_challenge(state: Competition, current: Round, given: Given, entries: Sequence[str]) -> None:
    """Raise `Illegal` where a player's challenge needs more than that all play in the round.

    Nobody is asked before a table is opened: so a player opens one against each entry until it is decided.
    """
    if any(player not in given.players for entry in entries for player in state.entry(entry).players):
        raise Illegal("A player of this table is no longer active in the club.")
    own = next(entry for entry in entries if given.player in state.entry(entry).players)
    playing = playing_already(current, own)
    for entry in sorted({*entries} & {*playing}):
        sentence = text(
            "You and %(name)s play each other already, at table %(number)d.",
            name=state.entry(entry).name,
            number=playing[entry],
        )
        raise Illegal(sentence)


def playing_already(current: Round, own: str) -> Mapping[str, int]:
    """Return the numbers of the undecided tables at which an entry sits, by its opponents there."""
    tables = [(number, table) for number, table in current.numbered if own in table.entries]
    return {
        entry: number
        for number, table in reversed(tables)
        if not table.decided
        for entry in table.entries
        if entry != own
    }


def _sits(state: Competition, given: Given, entries: Sequence[str]) -> bool:
    entry = state.entry_with(given.player) if given.player else None
    return entry is not None and entry.id in entries


# ---- Postpone ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TableFields:
    table: v.TableId
    reason: v.Reason


class Postponed(_TableFields, SetsClocks, type="postponed"):
    """A table is put off: its round can close without it, and its result enters later.

    The clocks of its game stop. A table that is put off again gets the new deadline and reason.
    """

    title = "Table put off"
    found_by = "postponed, adjourned, rescheduled, late game"
    said_by = AND_SERVER
    text = "%(table)s (%(at_table)s) is put off."
    text_deadline = "%(table)s (%(at_table)s) is put off. Deadline: %(deadline)s."
    deadline: v.Time | None = None

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_deadline if fields.get("deadline") else cls.text

    def clock_move(self) -> JsonObject:
        return {"type": "stop_clocks"}

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        stage, its_round, _table = state.table(self.table)
        format_ = formats.of(stage.plan)
        if not format_.postponable:
            raise Illegal(
                "A table of this format (%(format)s) can't be put off: the next round needs its result. "
                "Set a later deadline for the round instead.",
                fields=["table"],
                format=format_.title,
            )
        if its_round.play_off:
            raise Illegal("A play-off can't be put off: who advances depends on it.", fields=["table"])
        if table.decided:
            raise Illegal("The table is decided: only an undecided table can be put off.", fields=["table"])
        return with_table(state, replace(table, postponement=Postponement(self.reason, self.deadline)))


class PostponeTable(_TableFields, Verb, key="postpone"):
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
        until = course.read_deadline(self.deadline, given.now)
        return (Postponed(table=self.table, reason=self.reason, deadline=until),)


# ---- End postponement ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _EndPostponementFields:
    table: v.TableId
    reason: v.Note = ""


class PostponementEnded(_EndPostponementFields, SetsClocks, type="postponement_ended"):
    """A table is not put off any more: its round waits for it, and the clocks of its game run again."""

    title = "Postponement ended"
    found_by = "put off no longer, rescheduled"
    text = "%(table)s (%(at_table)s) is played in its round after all."

    def clock_move(self) -> JsonObject:
        return {"type": "start_clocks"}

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


class EndPostponement(_EndPostponementFields, Verb, key="end-postponement"):
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


# ---- Reopen table --------------------------------------------------------------------------------


class TableReopened(_TableFields, Event, type="table_reopened"):
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


class ReopenTable(_TableFields, Verb, key="reopen-table"):
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
    def fits(cls, table: Table, state: Competition) -> bool:
        return bool(table.earlier)
