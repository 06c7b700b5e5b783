"""Players in the seats of a table, and the rules that the tables of a round must keep."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from league.core.state import values as v
from league.core.state.competition import Competition, Seat, Stage, Table


@dataclass(frozen=True)
class Seating:
    """A table of a draw: its seats in order, each an entry and a player."""

    table: v.TableId
    seats: Annotated[tuple[v.SeatPair, ...], Length(1, 10)]
    group: v.Count = 1
    board: Annotated[int, Between(1, v.MAX_TEAM)] = 1
    label: Annotated[str, Length(0, 60), Help("what the table is for: final, third place")] = ""

    def as_table(self) -> Table:
        """Return the table, without games yet."""
        seats = tuple(Seat(entry, player) for entry, player in self.seats)
        return Table(self.table, seats, self.group, self.board, self.label)


def seats_of(
    entries: Sequence[str], lineups: Mapping[str, tuple[str, ...]], board: int | None
) -> tuple[v.SeatPair, ...]:
    """Return a table's seats: all players of each entry in turn, or at a board the players with its number.

    At every other board the order is reversed, so that each team has the first seat at half of them.
    """
    if board is None:
        most = len(lineups[entries[0]])
        return tuple((entry, lineups[entry][turn]) for turn in range(most) for entry in entries)
    order = entries if board % 2 else entries[::-1]
    return tuple((entry, lineups[entry][board - 1]) for entry in order)


def check_round(
    state: Competition, stage: Stage, number: int, tables: tuple[Table, ...], resting: tuple[str, ...]
) -> None:
    """Raise `Illegal` unless each entry of the round has its seats, or a bye, exactly once."""
    refuse_known_tables(state, [table.id for table in tables])
    group_of = groups(state, stage, number)
    turns = Counter(resting)
    for table in tables:
        check_table(state, table, (stage.number, number), group_of)
        turns.update(table.entries)
    tables_each = state.opening.team_size if state.opening.lineup == "boards" else 1
    wanted = dict.fromkeys(group_of, tables_each) | dict.fromkeys(group_of.keys() & {*resting}, 1)
    if turns != wanted:
        raise Illegal("The draw must give each entry of the round its seats, or a bye, exactly once.")
    if max(Counter(seat.player for table in tables for seat in table.seats).values(), default=0) > 1:
        raise Illegal("A player can have only one seat in a round.")


def groups(state: Competition, stage: Stage, number: int) -> Mapping[str, int]:
    """Return the group of each entry that plays in a round, counted from 1."""
    return {entry: group for group, entries in enumerate(state.field(stage, number), 1) for entry in entries}


def refuse_known_tables(state: Competition, tables: Sequence[str]) -> None:
    """Raise `Illegal` where a table is named twice, or is one of a round that was published."""
    if _known_or_double(state, tables):
        raise Illegal("Two tables have the same id.")


def check_table(state: Competition, table: Table, at: tuple[int, int], group_of: Mapping[str, int]) -> None:
    """Raise `Illegal` unless the seats belong to entries of one group and to their players."""
    if len(table.seats) not in state.opening.seats:
        raise Illegal(text("The game is not for %(count)d players.", count=len(table.seats)))
    if {group_of.get(entry) for entry in table.entries} != {table.group}:
        raise Illegal("The entries of a table must play in the round, all in one group.")
    each = state.opening.team_size if state.opening.lineup == "partners" else 1
    seated = [seat.entry for seat in table.seats]
    if each < max(map(seated.count, seated)):
        raise Illegal("An entry can't play against itself.")
    if {seated.count(entry) for entry in seated} != {each}:
        raise Illegal(text("Each entry must have %(count)d of a table's seats.", count=each))
    if not all(seat.player in state.entry(seat.entry).lineup(at) for seat in table.seats):
        raise Illegal("A seat must belong to a player of its entry.")
    if len({seat.player for seat in table.seats}) != len(table.seats):
        raise Illegal("A player can have only one seat at a table.")


def refuse_known_games(state: Competition, games: Sequence[str]) -> None:
    """Raise `Illegal` where a game is named twice, or belongs to a table already."""
    if _known_or_double(state, games):
        raise Illegal("A game can belong to only one table.")


def _known_or_double(state: Competition, ids: Sequence[str]) -> bool:
    return len({*ids}) != len(ids) or any(each.tables.has_any(ids) for each in state.published_rounds)
