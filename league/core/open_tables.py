"""Tables that are opened one by one: by who plays at them, by an organiser, or for those who wait longest."""

from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import datetime
from typing import Annotated, ClassVar

from games.engine.chain import derived_id
from games.engine.refusals import Illegal
from games.engine.shapes import Help, Length
from games.engine.values import replace
from league.core import course, formats
from league.core.drawing.draw import stage_sizes
from league.core.drawing.drawing import engine_of
from league.core.drawing.wishes import among, of_entries
from league.core.events import AND_PLAYERS, AND_SERVER, Event, OpensGames, apply, changes
from league.core.match_games import with_games
from league.core.state import values as v
from league.core.state.challenges import waiting
from league.core.state.competition import Competition, Round, Stage, Table, TableGame
from league.core.state.cut_offs import NO_WISHES, Wishes
from league.core.state.updates import (
    Seating,
    begun_stage,
    check_table,
    groups,
    played_round,
    refuse_known_games,
    refuse_known_tables,
    refuse_unless_running,
    seats_of,
    with_round,
)


class TableOpened(OpensGames, type="table_opened"):
    """A table is opened in open play."""

    title = "Table opened"
    found_by = "open play, new table"
    said_by = AND_PLAYERS
    by_code: ClassVar[bool | str] = "challenge_accepted"
    text = "A table is opened in round %(round)s for %(at_table)s."
    emails = "table_opened"
    stage: v.Count
    round: v.Count
    table: v.TableId
    seats: Annotated[tuple[v.SeatPair, ...], Length(1, 10)]
    games: Annotated[tuple[v.GameId, ...], Length(1, 100)]
    group: v.Count = 1

    def apply(self, state: Competition) -> Competition:
        refuse_unless_running(state)
        stage, played = played_round(state, self.stage, self.round)
        if not played.open:
            raise Illegal("The tables of this round are drawn.")
        refuse_known_tables(state, [self.table])
        refuse_known_games(state, self.games)
        refuse_challenged(state, {entry for entry, _player in self.seats})
        table = Seating(self.table, self.seats, self.group).as_table(stage.plan)
        check_table(state, table, (stage.number, self.round), groups(state, stage, self.round))
        table = replace(table, games=tuple(map(TableGame, self.games)))
        return with_round(state, stage, replace(played, tables=played.tables.added(table)))

    def opened_games(self) -> Iterable[tuple[str, str]]:
        return ((self.table, game) for game in self.games)


def refuse_challenged(state: Competition, entries: Set[str]) -> None:
    """Raise `Illegal` where a challenge between two of the entries waits for an answer."""
    if any({*each.entries} <= entries for each in waiting(state.challenges)):
        raise Illegal("A challenge between them waits for an answer.")


def table_opened(
    state: Competition, *, table: str, entries: Sequence[str], games: Sequence[str]
) -> TableOpened:
    """Return the event that opens a table of entries in seat order; raise `Illegal` if not allowed."""
    stage = begun_stage(state)
    format_ = formats.of(stage.plan)
    if not format_.open_tables:
        raise Illegal("The tables of this stage are drawn.")
    if stage.open_round is None:
        raise Illegal("No round is being played.")
    if len({*entries}) < 2:
        raise Illegal("A table needs at least two entries.")
    if len(entries) > 2 and stage_sizes(state.opening, stage.plan) == (2,):
        raise Illegal("This stage has only tables of two.")
    if all(each.table != table for each in state.challenges):
        # Rungs may have changed since a challenge that was accepted.
        format_.check_table(state, stage, entries)
    at = stage.open_round.number
    group = next((number for number, own in enumerate(stage.groups, 1) if {*entries} <= {*own}), 1)
    lineups = {each.id: each.lineup((stage.number, at)) for each in state.entries}
    if not {*entries} <= {*lineups}:
        raise Illegal("There is no such entry in this competition.")
    seats = seats_of(entries, lineups, None)
    return TableOpened(stage.number, at, table, seats, tuple(games), group)


class WaitingSeated(TableOpened, type="waiting_seated"):
    """A table is opened for those who wait; who they are follows from the log.

    ``smaller``: an organiser let all be seated who wait, at smaller tables where need be. ``wishes`` are
    those of who is here, of the competition and of the club's people.
    """

    title = "Table of those who waited"
    found_by = "drop-in, next table, free, waiting"
    said_by = (*AND_SERVER, "scorekeeper", "player", "kiosk")
    by_code = True
    text = "A table is opened in round %(round)s for %(at_table)s, who waited longest."
    smaller: Annotated[bool, Help("whether an organiser seated all who wait")] = False
    wishes: Annotated[Wishes, Help("who is kept apart or together, and who has a fixed table")] = NO_WISHES

    def apply(self, state: Competition) -> Competition:
        stage, played = played_round(state, self.stage, self.round)
        if self.wishes != _heeded(state, stage, played, self.wishes):
            raise Illegal("These are not the wishes of those who are here.")
        due = formats.of(stage.plan).next_table(
            state, stage, smaller=self.smaller, wishes=self.wishes.between
        )
        if tuple(dict.fromkeys(entry for entry, _ in self.seats)) != due:
            raise Illegal("These are not those who wait longest.")
        after = super().apply(state)
        stage, played = played_round(after, self.stage, self.round)
        tables = played.tables.changed(_at_its_number(played, self.wishes))
        return with_round(after, stage, replace(played, tables=tables, seated=state.seq + 1))


def _heeded(state: Competition, stage: Stage, played: Round, more: Wishes) -> Wishes:
    """Return the wishes of who is here: those of the competition, and ``more`` about others."""
    if not (formats.of(stage.plan).heeds_wishes and engine_of(stage.plan).knows_wishes):
        return NO_WISHES
    return among(state.wishes, {each for group in state.field(stage, played.number) for each in group}, more)


def _at_its_number(played: Round, wishes: Wishes) -> Table:
    """Return the last table, with a number if anybody here has a fixed one: its own, or one nobody wants."""
    *others, table = played.tables
    if not wishes.tables:
        return table
    taken = {each.place for each in others if each.status == "playing"}
    wanted = {each.table for each in wishes.tables}
    own = sorted(filter(played.rooms.position, map(wishes.table_of, table.entries)))
    numbers = played.rooms.numbers(len(taken) + len(wanted) + 1)
    hall = numbers[: played.rooms.tables or None]
    free = [number for number in (*own, *numbers) if number not in taken]
    return replace(
        table, place=min(free, key=lambda each: (each not in own, each not in hall, each in wanted))
    )


def of_waiting(
    state: Competition, now: datetime, wishes: Wishes, *, smaller: bool = False
) -> WaitingSeated | None:
    """Return the event that opens the next table of those who wait, None where none is due.

    ``wishes`` are those of the club's people, by players.
    """
    stage, played = state.stage, state.current_round
    if stage is None or played is None or played.queue is None or state.status != "running":
        return None
    heeded = _heeded(state, stage, played, of_entries(wishes, state))
    due = formats.of(stage.plan).next_table(state, stage, smaller=smaller, wishes=heeded.between)
    if not due or course.deadline_passed(played, now):
        return None
    # Ids depend on the number and time of the event, so that a retry opens no second table.
    name = f"{state.opening.root} table after {state.seq}"
    table, game = str(derived_id(now, name)), str(derived_id(now, f"{name} game 1"))
    opened = table_opened(state, table=table, entries=due, games=[game])
    return WaitingSeated(**vars(opened), smaller=smaller, wishes=heeded)


def following(
    state: Competition, events: Iterable[Event], now: datetime, wishes: Wishes = NO_WISHES
) -> Sequence[Event]:
    """Return the events, and after them those that follow: further games of matches, tables of who waits."""
    made = with_games(state, events, now)
    if not made or not any(formats.of(plan).seats_waiting for plan in state.plans):
        return made
    changed = [*changes(state, made)]
    return [*made, *tables_of_waiting(changed[-1].after if changed else state, now, wishes)]


def tables_of_waiting(
    state: Competition, now: datetime, wishes: Wishes, *, smaller: bool = False
) -> Iterator[Event]:
    """Yield the events that open all tables which are due for those who wait."""
    while event := of_waiting(state, now, wishes, smaller=smaller):
        yield event
        state = apply(state, event)
