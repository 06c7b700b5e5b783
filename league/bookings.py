"""Who is to sit at two tables at once: in one competition that is refused, across several it is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from league import formats
from league.models import Competition, Round, Table, TableSeat

_OPEN: Final = [each.key for each in formats.FORMATS if each.open_tables]


@dataclass(frozen=True)
class DoubleBooking:
    """A player's seat in a round of a competition, and one in another competition's round that runs too."""

    here: TableSeat
    elsewhere: TableSeat


def double_bookings(competition: Competition) -> Sequence[DoubleBooking]:
    """Return who sits at an undecided table of this competition and at one of another, by the player's name.

    Drawn rounds count like published ones, so this is for organisers. Open play is left out on both sides:
    its tables are made by those who sit there. Two queries.
    """
    here = list(_seats().filter(table__round__stage__competition=competition))
    players = {seat.player_id for seat in here}
    others = _seats().filter(player__in=players).exclude(table__round__stage__competition=competition)
    found = [
        DoubleBooking(seat, other) for other in others for seat in here if seat.player_id == other.player_id
    ]
    return sorted(found, key=_order)


def _seats() -> QuerySet[TableSeat]:
    """Return the seats at tables that still wait for their game's end, with where they are."""
    waiting = TableSeat.objects.filter(
        table__status__in=[Table.Status.DRAWN, Table.Status.PLAYING],
        table__round__status__in=[Round.Status.DRAWN, Round.Status.PUBLISHED],
        table__round__stage__competition__status=Competition.Status.RUNNING,
    ).exclude(table__round__stage__format__in=_OPEN)
    return waiting.select_related("player", "table__round__stage__competition")


def _order(booking: DoubleBooking) -> tuple[str, str, str]:
    return booking.here.player.search_name, str(booking.here.pk), str(booking.elsewhere.pk)
