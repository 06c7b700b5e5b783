"""The tables at which a reader sits in a game that is not over, and which of them wait for the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from games.models import Game, Seat
from league.models import Account, ClubGame, PracticeGame
from league.queries.games import SeatedPlayer, seated_at
from league.queries.practice import GUEST_SEAT

MOST: Final = 30
_RUNNING: Final = (Game.Status.ACTIVE, Game.Status.INVITED)


@dataclass(frozen=True)
class RunningTable:
    """A game that is not over, with its seats; ``mine`` is the reader's, ``club_game`` None in practice."""

    game: Game
    club_game: ClubGame | None
    seats: Sequence[SeatedPlayer]
    mine: int

    @property
    def my_turn(self) -> bool:
        """Return whether the game waits for the reader's move."""
        return self.mine in self.game.awaited

    @property
    def invited(self) -> bool:
        """Return whether the reader's answer to an invitation is missing."""
        return self.mine in self.game.unanswered

    @property
    def waits(self) -> bool:
        """Return whether the game waits for the reader."""
        return self.my_turn or self.invited

    @property
    def others(self) -> Sequence[SeatedPlayer]:
        """Return the other seats, in seat order."""
        return [seat for seat in self.seats if seat.seat != self.mine]

    @property
    def to_move(self) -> Sequence[SeatedPlayer]:
        """Return the seats of others for which the game waits."""
        waited_for = self.game.unanswered or self.game.awaited
        return [seat for seat in self.others if seat.seat in waited_for]


def running_tables(account: Account) -> Sequence[RunningTable]:
    """Return the account's tables, at most `MOST`: those that wait for it first, the longest first.

    Three queries for any number of them.
    """
    mine = Seat.objects.filter(account=account.pk, game__status__in=_RUNNING, game__club_game__isnull=False)
    seats = mine.select_related("game__club_game__table__round").order_by("game__moved_at", "game", "-number")
    return _tables({seat.game: seat.number for seat in seats[:MOST]})


def practice_tables(guest: UUID) -> Sequence[RunningTable]:
    """Return the guest's practice games that are not over, as `running_tables` does."""
    running = PracticeGame.objects.filter(guest=guest, game__status__in=_RUNNING).select_related("game")
    return _tables({each.game: GUEST_SEAT for each in running.order_by("game__moved_at", "pk")[:MOST]})


def _tables(mine: dict[Game, int]) -> Sequence[RunningTable]:
    seats = seated_at([*mine])
    tables = [
        RunningTable(game, getattr(game, "club_game", None), seats[game.pk], seat)
        for game, seat in mine.items()
    ]
    return sorted(tables, key=lambda table: not table.waits)
