"""The tables at which a reader sits, and which of them wait for the reader."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.db.models import Q

from games.models import Game, Seat
from league.choices import EventRole
from league.core import formats
from league.models import Account, Club, ClubGame, Competition, TableSeat
from league.queries.clubs import ids_of
from league.queries.games import (
    CALLED_OFF,
    GUEST_SEAT,
    SeatedPlayer,
    all_games,
    games_of_visitor,
    ruling_of,
    seated_at,
    sides_of_seats,
    with_rulings,
)

if TYPE_CHECKING:
    from league.hooks import Visitor

MOST: Final = 30
_MOST_FINISHED: Final = 3
_MOST_ENDED: Final = 50
_RUNNING: Final = (Game.Status.ACTIVE, Game.Status.INVITED)


@dataclass(frozen=True)
class OwnTable:
    """A game with its seats; ``mine`` is the reader's, ``club_game`` None in practice.

    ``behind`` is set where the reader's page does not show all moves yet: until then the game waits for
    others. ``opened``: somebody else has opened the table in an open-ended round, and nobody has entered
    anything yet; ``challenged``: a player has, not an organiser.
    """

    game: Game
    club_game: ClubGame | None
    seats: Sequence[SeatedPlayer]
    mine: int
    behind: bool = False
    opened: bool = False
    challenged: bool = False

    @property
    def club(self) -> Club | None:
        """Return the club of the game, None in practice."""
        return self.club_game.club if self.club_game else None

    @property
    def my_turn(self) -> bool:
        """Return whether the game waits for the reader's move."""
        return not self.behind and self.mine in self.game.awaited

    @property
    def invited(self) -> bool:
        """Return whether the reader's answer to an invitation is missing."""
        return self.mine in self.game.unanswered

    @property
    def waits(self) -> bool:
        """Return whether the game, or a table that nobody has begun to play at, waits for the reader."""
        return self.my_turn or self.invited or (self.opened and not self.behind and not self.to_move)

    @property
    def ruled(self) -> TableSeat | None:
        """Return the reader's result where it was set by hand."""
        if self.club_game is None or self.mine is None:
            return None
        at_table = self.mine ^ self.club_game.turn
        return next((seat for seat in ruling_of(self.club_game) if seat.number == at_table), None)

    @property
    def sides(self) -> Mapping[int, Hashable]:
        """Return the side of each seat."""
        return sides_of_seats(self.club_game, [(each.seat, each.team) for each in self.seats])

    @property
    def others(self) -> Sequence[SeatedPlayer]:
        """Return the other seats in seat order."""
        return [seat for seat in self.seats if seat.seat != self.mine]

    @property
    def to_move(self) -> Sequence[SeatedPlayer]:
        """Return the seats of others for which the game waits."""
        waited_for = self.game.unanswered or self.game.awaited
        return [seat for seat in self.others if seat.seat in waited_for]


def running_tables(visitor: Visitor) -> Sequence[OwnTable]:
    """Return the visitor's tables, at most `MOST` of clubs: those that wait first, of them the longest first.

    Practice games come after games of clubs. Six queries for any number of them, or seven.
    """
    seats = _seats_of(visitor.account) if visitor.account else {}
    running = games_of_visitor(visitor).filter(status=Game.Status.ACTIVE)
    own = running.select_related("club_game").order_by("moved_at", "pk")
    opened = opened_for([visitor.account.pk]) if visitor.account else ()
    asked = {game.pk: challenged for _account, game, challenged in opened}
    return _tables({**seats, **dict.fromkeys(own, GUEST_SEAT)}, asked)


def finished_tables(visitor: Visitor) -> Sequence[OwnTable]:
    """Return the last games of clubs that the visitor has finished, the last one first; four queries."""
    if visitor.account is None:
        return ()
    mine = Seat.objects.filter(
        account=visitor.account.pk, game__status=Game.Status.FINISHED, game__club_game__isnull=False
    )
    listed = mine.select_related("game__club_game__table__round")
    seats = listed.prefetch_related("game__club_game__table__seats").order_by(
        "-game__moved_at", "game", "-number"
    )
    return _tables({seat.game: seat.number for seat in seats[:_MOST_FINISHED]})


def ended_tables(account: Account) -> Sequence[OwnTable]:
    """Return the account's last games of clubs that are over, also those that another account played for it.

    Games that were called off are left out. Six queries for any number of them.
    """
    ended = (Game.Status.FINISHED, Game.Status.ABANDONED)
    own = Q(account=account.pk) | Q(player__in=ids_of(account=account))
    mine = Seat.objects.filter(own, game__status__in=ended)
    games = all_games().exclude(CALLED_OFF).filter(game__in=mine.values("game"))
    seats = dict(mine.values_list("game", "number"))
    last = with_rulings(games).order_by("-game__moved_at", "game")[:_MOST_ENDED]
    return _tables({each.game: seats[each.pk] for each in last})


def has_practised(visitor: Visitor) -> bool:
    """Return whether the visitor has games of no club that have a result."""
    return games_of_visitor(visitor).filter(status=Game.Status.FINISHED).exists()


def _seats_of(account: Account) -> dict[Game, int]:
    mine = Seat.objects.filter(account=account.pk, game__status__in=_RUNNING, game__club_game__isnull=False)
    seats = mine.select_related(
        "game__club_game__table__round", "game__club_game__club", "game__club_game__competition"
    ).order_by("game__moved_at", "game", "-number")
    at_tables = seats.prefetch_related("game__club_game__table__seats")
    return {seat.game: seat.number for seat in at_tables[:MOST]}


def opened_for(accounts: Iterable[UUID]) -> Sequence[tuple[UUID, Game, bool]]:
    """Return for whom another one has opened a game in an open-ended round, and whether that is a challenge.

    None is a table that an organiser opens, nor one of a challenge that was accepted. Only games in which
    nobody has entered anything yet; two queries at most.
    """
    open_ended = [each.key for each in formats.BY_KEY.values() if each.open_tables]
    seats = Seat.objects.filter(
        account__in=[*accounts],
        game__status=Game.Status.ACTIVE,
        game__seq=1,
        game__club_game__table__round__stage__format__in=open_ended,
    ).select_related("game__club_game__club")
    listed = list(seats.order_by("game", "number"))
    of_them = Competition.objects.filter(pk__in={each.game.club_game.competition_id for each in listed})
    kinds = ("table_opened", "challenge_accepted")
    opened = of_them.filter(events__event__type__in=kinds).order_by() if listed else of_them.none()
    rows = [
        *opened.values_list("events__event__table", "events__account", "events__role", "events__event__type")
    ]
    answered = {table for table, _account, _role, kind in rows if kind == "challenge_accepted"}
    by = {
        table: (account, role == EventRole.PLAYER and table not in answered)
        for table, account, role, _kind in rows
    }
    found = [(each.account, each.game, by.get(_table(each.game), ("", False))) for each in listed]
    return [(own, game, asks) for own, game, (opener, asks) in found if own and opener != str(own)]


def _table(game: Game) -> str:
    return str(game.club_game.table_id)


def _tables(mine: dict[Game, int], asked: Mapping[UUID, bool] = MappingProxyType({})) -> Sequence[OwnTable]:
    seats = seated_at([*mine])
    tables = [
        OwnTable(
            game,
            getattr(game, "club_game", None),
            seats[game.pk],
            seat,
            opened=game.pk in asked,
            challenged=asked.get(game.pk, False),
        )
        for game, seat in mine.items()
    ]
    return sorted(tables, key=lambda table: not table.waits)
