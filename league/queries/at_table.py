"""Who is at a table now, and how somebody follows a game there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from games import database_time
from league.models import WatchedGames
from league.queries.wall import LAPSES

if TYPE_CHECKING:
    from league.models import Account

REMEMBERED: Final = timedelta(minutes=15)
"""For how long it is told that somebody was here."""


@dataclass(frozen=True)
class AtTable:
    """How somebody follows a game: the own seat, None for a watcher; and the seats of which it hears nothing,
    and does not see whether they are here.
    """

    seat: int | None = None
    unheard: frozenset[int] = frozenset()
    unseen: frozenset[int] = frozenset()

    @classmethod
    def read(cls, text: str) -> AtTable:
        """Return what `str` has written."""
        seat, *seats = text.split("/")
        unheard, unseen = (frozenset(map(int, filter(None, each.split(",")))) for each in seats)
        return cls(int(seat) if seat else None, unheard, unseen)

    def __str__(self) -> str:
        seats = (",".join(map(str, sorted(each))) for each in (self.unheard, self.unseen))
        return "/".join(["" if self.seat is None else str(self.seat), *seats])


AT_TABLE: Final[list[Callable[[Account, UUID], AtTable]]] = []
"""How an account follows a game, by the app that knows whom it hears; without one nobody says anything."""
HIDDEN_AT: Final[list[Callable[[Collection[UUID]], Collection[tuple[UUID, int]]]]] = []
"""The games and seats of whom nobody is to see whether they are there."""


def at_table(account: Account | None, game: UUID) -> AtTable:
    """Return how somebody follows a game; who has no account hears all, and is not seen."""
    return AT_TABLE[0](account, game) if AT_TABLE and account else AtTable()


def present_at(games: Collection[UUID]) -> Mapping[UUID, Mapping[int, datetime | None]]:
    """Return who is at the table of each game, None, or has left it lately, when; by seat.

    Nobody is among them who hides.
    """
    now = database_time.now()
    found: dict[UUID, dict[int, datetime | None]] = {game: {} for game in games}
    rows = WatchedGames.objects.filter(at__gt=now - REMEMBERED).order_by("process")
    for at, present in rows.values_list("at", "present") if found else ():
        for game, seats in found.items():
            for number, ago in present.get(str(game), {}).items():
                here = ago is None and at > now - LAPSES
                _add(seats, int(number), None if here else at - timedelta(seconds=ago or 0))
    for each in HIDDEN_AT if any(found.values()) else ():
        for game, seat in each(found):
            found[game].pop(seat, None)
    return found


def _add(seats: dict[int, datetime | None], seat: int, left: datetime | None) -> None:
    """Add when a seat left through one process; it is here where it is through any."""
    before = seats.get(seat, left)
    seats[seat] = None if before is None or left is None else max(before, left)
