"""Games and their entries as one caller may see them, put together from the log and the league."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.db.models import QuerySet

from games import log
from games.engine import replay
from games.engine.base import Choice
from games.engine.jsontypes import JsonObject
from games.engine.replay import Position
from games.log import Appended
from games.models import Game, Move
from league import selectors
from league.models import Account, ClubGame, Player
from league.selectors import SeatedPlayer


@dataclass(frozen=True)
class ListedGame:
    """A game with its place in the league and who sits where."""

    place: ClubGame
    seats: tuple[SeatedPlayer, ...]


@dataclass(frozen=True)
class SeatAtTable:
    """A seat of a game that is looked at: who has it, and whether it has left the game."""

    seat: int
    player: Player | None
    team: int
    out: bool


@dataclass(frozen=True)
class SeenGame:
    """A game as an account, or a spectator (None), may see it now."""

    place: ClubGame
    game: Game
    position: Position
    taken: tuple[SeatedPlayer, ...]
    account: Account | None

    @property
    def seats(self) -> tuple[SeatAtTable, ...]:
        """Return the seats in order."""
        out = self.position.out
        return tuple(SeatAtTable(seat.seat, seat.player, seat.team, seat.seat in out) for seat in self.taken)

    @cached_property
    def you(self) -> int | None:
        """Return the seat that the account plays, None for a spectator."""
        if self.account is None:
            return None
        mine = (seat.seat for seat in self.taken if seat.player and seat.player.account_id == self.account.pk)
        return next(mine, None)

    @property
    def seed(self) -> str | None:
        """Return the secret seed once the game is over."""
        return log.published_seed(self.game) if self.game.is_over else None

    @property
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may move now."""
        return replay.to_act(self.position)

    @property
    def deadline(self) -> datetime | None:
        """Return when the first of the seats that are awaited will be late; None without a clock."""
        return self.game.deadline

    @property
    def view(self) -> JsonObject:
        """Return what the viewer may know."""
        return replay.view(self.position, self.you)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return what the viewer may do now."""
        return selectors.choices_of(self.account, self.place, self.position, self.you)


def places(*joined: str) -> QuerySet[ClubGame]:
    """Return all games as `selectors.games` does, with these joins alone: the API names most things by id."""
    return selectors.games().select_related(None).select_related(*joined)


def game(game_id: UUID, account: Account | None) -> SeenGame:
    """Return the game at its head, as the account may see it; raises ClubGame.DoesNotExist."""
    place = places("game", "club").get(pk=game_id)
    return SeenGame(place, place.game, log.latest(place.game), selectors.seated(place.game), account)


def after(made: Appended, account: Account | None) -> SeenGame:
    """Return the game as an append left it, as the account may see it."""
    place = places("club").get(pk=made.game.pk)
    return SeenGame(place, made.game, made.position, selectors.seated(made.game), account)


@dataclass(frozen=True)
class Entry:
    """An entry of a game's log with the line that tells it to a person."""

    entry: Move
    text: str


def entries(game: Game, found: Sequence[Move]) -> list[Entry]:
    """Return entries with their texts; two queries for the names."""
    names = {seat.seat: seat.player.name for seat in selectors.seated(game) if seat.player}
    return [Entry(entry, sentence(game, names, entry)) for entry in found]


def sentence(game: Game, names: Mapping[int, str], entry: Move) -> str:
    """Return an entry as one line for a person, such as "Paul Pike draws from the deck"."""
    if entry.move["type"] == "open":
        return "The game is opened"
    told = log.in_words(game, entry)
    if entry.seat is None:
        return f"The {entry.role} {told}"
    return f"{names.get(entry.seat, f'Seat {entry.seat}')} {told}"
