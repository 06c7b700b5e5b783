"""Games as an account may see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.core.cache import cache
from django.db.models import QuerySet

from games import database_time, log
from games.engine import replay, turning_points
from games.engine.choosing import Choice
from games.engine.jsontypes import JsonObject
from games.engine.replay import Position
from games.models import Game
from league.models import Account, ClubGame, Competition
from league.queries import keysets
from league.queries.games import SeatedPlayer, all_games, game_of, seated_at
from league.queries.permissions import SEES_ITS_SEAT
from league.queries.reading import choices_of, rulings_of

if TYPE_CHECKING:
    from games.models.moves import Move


_KEPT_SECONDS: Final = 24 * 3600
"""How long the time of a deal is kept, which never changes."""


@dataclass(frozen=True)
class ListedGame:
    """A club's game and who sits where."""

    club_game: ClubGame
    seats: tuple[SeatedPlayer, ...]


@dataclass(frozen=True)
class GameWithLog(ListedGame):
    """A club's game with all that its log tells once it is over; None while it runs.

    ``cursor`` names it in the list that it was read from.
    """

    cursor: str
    log: Sequence[JsonObject] | None
    seed: str | None


@dataclass(frozen=True)
class SeatAtTable(SeatedPlayer):
    """A seat of a game that somebody looks at: who has it, and whether it has left the game."""

    out: bool


@dataclass(frozen=True)
class SeenGame:
    """A game as an account, or a spectator (None), may see it.

    ``position`` is the one that is looked at, ``now`` that at the game's head. ``you`` is the account's seat,
    or one that is written for without a log-in; ``seed`` the secret seed once the game is over; ``to_act``
    are the seats that may move at ``position``.
    """

    club_game: ClubGame
    game: Game
    position: Position
    now: Position
    account: Account | None
    seats: tuple[SeatAtTable, ...]
    you: int | None
    seed: str | None
    to_act: tuple[int, ...]

    @property
    def view(self) -> JsonObject:
        """Return the viewer's view; of an earlier position what it may still see of that."""
        if self.position is self.now:
            return replay.view(self.position, self.you)
        return replay.past_view(self.position, self.now, self.you)

    @property
    def open_view(self) -> JsonObject:
        """Return the view with all cards open where everybody may see it, otherwise the viewer's."""
        if self.game.is_over or self.opened_at is not None:
            return replay.full_view(self.position)
        return self.view

    @cached_property
    def opened_at(self) -> datetime | None:
        """Return since when everybody sees all hands of a past deal of a running game, otherwise None."""
        competition = self.club_game.competition
        delay = competition.open_hands if competition else None
        return _opened_at(self.game, delay, self.position, self.now)

    @property
    def at_end_of_deal(self) -> SeenGame:
        """Return the game at the end of the deal that its last entry has ended, or the same where it has not.

        The next deal is not dealt there yet.
        """
        ended = turning_points.at_end_of_deal(self.position)
        return replace(self, position=ended, to_act=()) if ended else self

    @cached_property
    def late(self) -> frozenset[int]:
        """Return the seats that forfeited because time ran out."""
        left = log.left([self.game.pk])
        return frozenset(seat for (_game, seat), why in left.items() if why == "late")

    def choices(self, *, aided: bool) -> tuple[Choice, ...]:
        """Return what the viewer may do now; without aid a seat has to find out what its hand makes."""
        club_game, ruleset = self.club_game, self.position.ruleset
        return choices_of(
            self.position,
            self.you,
            lambda: rulings_of(self.account, club_game.club_id, ruleset),
            lambda: club_game.table,
            aided=aided,
        )


def _opened_at(game: Game, delay: int | None, position: Position, now: Position) -> datetime | None:
    """Return since when everybody sees all hands of a past deal of a running game, otherwise None.

    That is ``delay`` minutes after the deal; None for a game whose competition never opens them.
    """
    if game.is_over or delay is None or position.joining:
        return None
    past = replay.deal_number(position)
    if past >= replay.deal_number(now):
        return None
    opened = _dealt_after(game, position) + timedelta(minutes=delay)
    return opened if opened <= database_time.now() else None


def _dealt_after(game: Game, position: Position) -> datetime:
    """Return when the deal after a position's was dealt; once in a while the rest of that one is replayed."""
    past = replay.deal_number(position)
    key = f"dealt:{game.pk}:{past}"
    found: datetime | None = cache.get(key)
    if found is None:
        later = log.each_later(game, position)
        found = next(entry for entry, then in later if replay.deal_number(then) > past).at
        cache.set(key, found, _KEPT_SECONDS)
    return found


def listed() -> QuerySet[ClubGame]:
    """Return all games with their clubs, the last opened first; the API names the rest by id."""
    return all_games().select_related(None).select_related("game", "club", "table")


def with_logs(games: QuerySet[ClubGame], cursor: str, most: int) -> Sequence[GameWithLog]:
    """Return the games after a cursor, the first opened first, with the logs of those that are over.

    Six queries. Raises `keysets.BadCursor`.
    """
    rows = games.order_by("pk")
    part = keysets.after(rows, cursor, most).rows
    played = [row.game for row in part]
    seats, logs = seated_at(played), log.whole_logs(played)
    return [
        GameWithLog(
            row, seats[row.game_id], keysets.cursor_of(rows, row), *logs.get(row.game_id, (None, None))
        )
        for row in part
    ]


def at_entry(club_game: ClubGame, seq: int, account: Account | None, held: int | None = None) -> SeenGame:
    """Return the game after entry ``seq``; raises Move.DoesNotExist and `NotReplayable`.

    ``held`` is the seat for which somebody writes without a log-in, None where nobody does.
    """
    return _seen(club_game, club_game.game, *_positions(club_game.game, seq), account, held)


def view_after(game_id: UUID, seq: int) -> JsonObject:
    """Return what everybody may see of a game after entry ``seq``: all cards where they are open.

    Raises Game.DoesNotExist, Move.DoesNotExist and `NotReplayable`.
    """
    game = game_of(game_id)
    position, now = _positions(game, seq)
    if game.is_over or _opened_at(game, _delay_of(game_id), position, now) is not None:
        return replay.full_view(position)
    return replay.past_view(position, now, None)


def is_open_after(game_id: UUID, seq: int) -> bool:
    """Return whether everybody sees all cards of a running game after entry ``seq``, which time decides.

    Raises what `view_after` raises where the game's competition ever opens hands.
    """
    delay = _delay_of(game_id)
    if delay is None:
        return False
    game = game_of(game_id)
    return _opened_at(game, delay, *_positions(game, seq)) is not None


def _delay_of(game_id: UUID) -> int | None:
    return Competition.objects.filter(games=game_id).values_list("open_hands", flat=True).first()


def _positions(game: Game, seq: int) -> tuple[Position, Position]:
    """Return the position after entry ``seq``, and the last one."""
    now = log.latest(game)
    return (now if seq == game.seq else log.position_at(game, seq)), now


def after_each_entry(club_game: ClubGame) -> Iterator[tuple[Move, SeenGame]]:
    """Yield each entry of a log, and the game after it as a spectator may see it; raises `NotReplayable`."""
    game = club_game.game
    now = log.latest(game)
    last = _seen(club_game, game, now, now, None)
    for entry, position in log.each_position(game):
        yield entry, replace(last, position=position, to_act=replay.to_act(position))


def _seen(
    club_game: ClubGame,
    game: Game,
    position: Position,
    now: Position,
    account: Account | None,
    held: int | None = None,
) -> SeenGame:
    taken = seated_at([game])[game.pk]
    sees = account if account and account.has_scope(*SEES_ITS_SEAT) else None
    mine = [seat.seat for seat in taken if sees and seat.account == sees.pk]
    return SeenGame(
        club_game,
        game,
        position,
        now,
        account,
        tuple(SeatAtTable(**vars(seat), out=seat.seat in position.out) for seat in taken),
        mine[0] if mine else held,
        log.published_seed(game) if game.is_over else None,
        replay.to_act(position),
    )
