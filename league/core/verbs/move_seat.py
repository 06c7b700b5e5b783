"""Exchange the seats of entries in a drawn round."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.refusals import Illegal
from games.engine.shapes import Length
from games.engine.values import replace
from league.core.events import Event
from league.core.state import values as v
from league.core.state.competition import Competition, Point, Seat, Table
from league.core.state.updates import check_round, drawn_round, groups, with_round
from league.core.verb import RUNNING, Button, Verb
from league.core.weighing import reseated


@dataclass(frozen=True)
class _MoveSeatFields:
    stage: v.Count
    round: v.Count
    swaps: Annotated[tuple[Annotated[tuple[v.EntryId, ...], Length(2, 2)], ...], Length(1, v.MAX_ENTRIES)]
    reason: v.Reason


class SeatsMoved(_MoveSeatFields, Event, type="seats_moved"):
    """Entries exchange seats in a drawn round; the original draw and the reason are kept."""

    title = "Seats exchanged"
    found_by = "swap, swapped, moved"
    text = "Seats of round %(round)s are exchanged: %(swaps)s."

    def apply(self, state: Competition) -> Competition:
        stage, drawn = drawn_round(state, self.stage, self.round)
        assert state.pending is not None
        frozen = state.pending.frozen
        here = {*drawn.byes, *(entry for table in drawn.tables for entry in table.entries)}
        tables, byes = drawn.placed, drawn.placed_byes
        point = (stage.number, self.round)
        group_of = {
            entry: group for entry, group in groups(frozen, stage, self.round).items() if entry in here
        }
        for number, (one, other) in enumerate(self.swaps):
            _check_pair(group_of, one, other, f"swaps.{number}")
            seats = {entry: _seats(frozen, tables, byes, entry, point) for entry in (one, other)}
            partner = {one: other, other: one}
            tables = _exchanged(tables, {one: iter(seats[other]), other: iter(seats[one])})
            byes = tuple(partner.get(entry, entry) for entry in byes)
        check_round(frozen, frozen.stages[-1], self.round, tables, byes + drawn.idle)
        moved = replace(drawn, placed=tables, placed_byes=byes, moved=(*drawn.moved, self.reason))
        return reseated(with_round(state, stage, moved))


def _check_pair(group_of: Mapping[str, int], one: str, other: str, path: str) -> None:
    """Raise `Illegal` for two entries that can't exchange seats; ``group_of`` are those of the round."""
    if one == other:
        raise Illegal("An entry can't exchange seats with itself: name two entries.", fields=[path])
    if not {one, other} <= group_of.keys():
        raise Illegal(
            "Only entries of the round can exchange seats: those with a table or a bye in it.", fields=[path]
        )
    if group_of[one] != group_of[other]:
        raise Illegal(
            "Entries of groups %(one)d and %(other)d can't exchange seats: name two of one group.",
            fields=[path],
            one=group_of[one],
            other=group_of[other],
        )


def _seats(
    state: Competition, tables: Sequence[Table], byes: Sequence[str], entry: str, point: Point
) -> list[Seat]:
    """Return an entry's seats in the draw; for a bye, the seats that it would take."""
    if entry in byes:
        return [Seat(entry, player) for player in state.entry(entry).lineup(point)]
    return [seat for table in tables for seat in table.seats if seat.entry == entry]


def _exchanged(tables: tuple[Table, ...], exchange: Mapping[str, Iterator[Seat]]) -> tuple[Table, ...]:
    """Return the tables with the seats of each entry replaced by those of the other, in order."""
    return tuple(
        replace(table, seats=tuple(_next_seat(exchange, seat) for seat in table.seats)) for table in tables
    )


def _next_seat(exchange: Mapping[str, Iterator[Seat]], seat: Seat) -> Seat:
    return next(exchange[seat.entry]) if seat.entry in exchange else seat


class MoveSeat(_MoveSeatFields, Verb, key="move-seat"):
    """Exchange the seats of pairs of entries in a drawn round; the original draw is kept in the log."""

    taken_back_by = ("move-seat",)
    event = SeatsMoved
    move_seat = Button(
        "Exchange two seats",
        "Two entries exchange seats in this draw. The original draw stays in the log.",
        "Exchange them again, or draw the round again.",
        statuses=RUNNING,
        part="round",
        steps=("publish",),
        asks=("swaps", "reason"),
    )

    @classmethod
    def offered(cls, state: Competition, button: Button) -> bool:
        return state.drawn_round is not None and not state.drawn_round.open
