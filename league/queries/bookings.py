"""Players with seats at two tables at once, in different competitions; one competition does not allow it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from league.core import formats
from league.models import Competition, Round, Table, TableSeat


@dataclass(frozen=True)
class DoubleBooking:
    """A player's seat in an open round of one competition, and a seat in an open round of another one."""

    here: TableSeat
    elsewhere: TableSeat


def double_bookings(competition: Competition) -> Sequence[DoubleBooking]:
    """Return players at undecided tables both of this competition and of another, by player name.

    Unpublished draws count too, so this is only for organisers. Open play does not count, because its players
    open the tables themselves. Two queries at most.
    """
    ours = _seats().filter(table__round__stage__competition=competition)
    elsewhere = (
        _seats()
        .filter(player__in=ours.order_by().values("player"))
        .exclude(table__round__stage__competition=competition)
    )
    others = list(elsewhere)
    here = list(ours.filter(player__in={seat.player_id for seat in others})) if others else []
    bookings = [
        DoubleBooking(seat, other) for other in others for seat in here if seat.player_id == other.player_id
    ]
    return sorted(bookings, key=_order)


def _seats() -> QuerySet[TableSeat]:
    """Return the seats at undecided tables of open rounds, with round, stage and competition."""
    open_formats = [each.key for each in formats.BY_KEY.values() if each.open_tables]
    waiting = TableSeat.objects.filter(
        table__status__in=[Table.Status.DRAWN, Table.Status.PLAYING],
        table__round__status__in=[Round.Status.DRAWN, Round.Status.PUBLISHED],
        table__round__stage__competition__status=Competition.Status.RUNNING,
    ).exclude(table__round__stage__format__in=open_formats)
    return waiting.select_related("player", "table__round__stage__competition")


def _order(booking: DoubleBooking) -> tuple[str, str, str]:
    return booking.here.player.search_name, str(booking.here.pk), str(booking.elsewhere.pk)
