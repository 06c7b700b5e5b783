"""From a draw's entries to players in seats."""

from collections.abc import Mapping
from uuid import UUID, uuid5

from league.competition import events as e
from league.competition import values
from league.competition.state import Competition, Stage
from league.formats import Draw, DrawnTable


def seated(
    state: Competition, stage: Stage, number: int, proposed: Draw, namespace: UUID
) -> tuple[e.Seating, ...]:
    """Return the tables of a draw with players in the seats; a team on boards makes one for each player."""
    opening = state.opening
    boards = opening.team_size if opening.lineup == "boards" else 1
    at = (stage.number, number)
    lineups = {entry.id: entry.lineup(at) for entry in state.entries}
    return tuple(
        e.Seating(
            table=str(uuid5(namespace, f"{order}.{board}")),
            seats=seats_of(table, lineups, board if opening.lineup == "boards" else None),
            group=table.group,
            board=board,
            label=table.label,
        )
        for order, table in enumerate(proposed.tables, 1)
        for board in range(1, boards + 1)
    )


def seats_of(
    table: DrawnTable, lineups: Mapping[str, tuple[str, ...]], board: int | None
) -> tuple[values.SeatPair, ...]:
    """Return a table's seats: all players of each entry in turn, or of a board the players of its number.

    On every other board the entries sit the other way round, so that a team begins on half of them.
    """
    if board is None:
        most = len(lineups[table.entries[0]])
        return tuple((entry, lineups[entry][turn]) for turn in range(most) for entry in table.entries)
    order = table.entries if board % 2 else table.entries[::-1]
    return tuple((entry, lineups[entry][board - 1]) for entry in order)
