"""Open a table in a round of open play."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Help, Label, Length, Named
from games.engine.values import replace
from league.core import deadlines, formats
from league.core.events import AND_PLAYERS, OpensGames
from league.core.state import values as v
from league.core.state.checks import begun_stage, played_round, refuse_unless_running
from league.core.state.competition import Competition, Entry, Point, Round, TableGame
from league.core.state.seating import (
    Seating,
    check_table,
    groups,
    refuse_known_games,
    refuse_known_tables,
    seats_of,
)
from league.core.state.updates import with_round
from league.core.verb import RUNNING, Button, Events, Given, OwnButton, Verb
from league.core.verbs.rounds import first_game


class TableOpened(OpensGames, type="table_opened"):
    """A table is opened in open play."""

    title = "Table opened"
    found_by = "open play, new table"
    said_by = AND_PLAYERS
    text = "A table is opened in round %(round)s for %(at_table)s."
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
        table = Seating(self.table, self.seats, self.group).as_table()
        check_table(state, table, (stage.number, self.round), groups(state, stage, self.round))
        table = replace(table, games=tuple(map(TableGame, self.games)))
        return with_round(state, stage, replace(played, tables=played.tables.added(table)))

    def opened_games(self) -> Iterable[tuple[str, str]]:
        return ((self.table, game) for game in self.games)


def table_opened(
    state: Competition, *, table: str, entries: Sequence[str], games: Sequence[str]
) -> TableOpened:
    """Return the event that opens a table of entries in seat order; raise `Illegal` if not allowed."""
    stage = begun_stage(state)
    format_ = formats.of(stage.plan)
    if not format_.open_tables or stage.open_round is None:
        raise Illegal("The tables of this stage are drawn.")
    format_.check_table(state, stage, entries)
    at = stage.open_round.number
    group = next((number for number, own in enumerate(stage.groups, 1) if {*entries} <= {*own}), 1)
    lineups = {each.id: each.lineup((stage.number, at)) for each in state.entries}
    if not {*entries} <= {*lineups}:
        raise Illegal("There is no such entry in this competition.")
    seats = seats_of(entries, lineups, None)
    return TableOpened(stage.number, at, table, seats, tuple(games), group)


class OpenTable(Verb, key="open-table"):
    """Open a table of open play or a ladder, with its game, for entries in seat order.

    Refused if the stage's tables are drawn, no round is being played, its deadline has passed, or the format
    does not allow these entries to meet.
    """

    taken_back_by = ("void",)
    own = ("entries", "key")
    own_button = OwnButton(
        "Open a table",
        "A game begins at once. The players you choose sit before you.",
        "The table is open.",
        rank=40,
    )
    open_table = Button(
        "Open a table",
        "The entries you tick play a game at once. The first of them has the first seat.",
        "You can void the table.",
        statuses=RUNNING,
        part="round",
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
        return plays and formats.of(stage.plan).open_tables

    def decide(self, state: Competition, given: Given) -> Events:
        if given.role == "player" and not _sits(state, given, self.entries):
            raise Malformed({"entries": [text("You can open only tables at which you sit.")]})
        if deadlines.passed(state.current_round, given.now):
            raise Illegal("The time for this round is over.")
        table = given.id_for(f"table {self.once or state.seq + 1}")
        stage = begun_stage(state)
        opened = next((each for _, _, each in state.tables() if each.id == table), None)
        if opened and opened.entries == self.entries:
            return ()
        if opened:
            raise Illegal("The key opened another table before. Send another key with other entries.")
        if current := stage.current_round:
            _refuse_missing(state, (stage.number, current.number), self.entries)
            if given.role == "player":
                _refuse_challenge(state, current, given, self.entries)
        games = [first_game(table, given.now)]
        return (table_opened(state, table=table, entries=self.entries, games=games),)


def _refuse_missing(state: Competition, at: Point, entries: Sequence[str]) -> None:
    """Raise `Illegal` with the reason where one of the entries does not play in the round."""
    for entry in (each for each in map(state.entry, entries) if not each.plays(at)):
        if entry.expelled:
            raise Illegal(text("%(name)s was expelled.", name=entry.name))
        if entry.status == "withdrawn":
            raise Illegal(text("%(name)s has withdrawn.", name=entry.name))
        raise Illegal(text("%(name)s misses this round.", name=entry.name))


def _refuse_challenge(state: Competition, current: Round, given: Given, entries: Sequence[str]) -> None:
    """Raise `Illegal` where a player's challenge needs more than that all play in the round.

    Nobody is asked before a table is opened: so a player opens one against each entry until it is decided.
    """
    if any(player not in given.players for entry in entries for player in state.entry(entry).players):
        raise Illegal("A player of this table is no longer active in the club.")
    own = next(entry for entry in entries if given.player in state.entry(entry).players)
    for number, table in enumerate(current.tables, 1):
        others = {*table.entries} & {*entries} - {own}
        if own in table.entries and others and not table.decided:
            name = state.entry(min(others)).name
            sentence = text(
                "You and %(name)s play each other already, at table %(number)d.", name=name, number=number
            )
            raise Illegal(sentence)


def _sits(state: Competition, given: Given, entries: Sequence[str]) -> bool:
    entry = state.entry_with(given.player) if given.player else None
    return entry is not None and entry.id in entries
