"""Reminders for players before a deadline; they are computed here and sent elsewhere.

A reminder has a key that does not change, so that it can be sent only once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from games.engine import clocks
from games.engine.clocks import Clock, Times
from games.engine.refusals import Malformed
from games.models import Game, Seat
from league.models import ClubGame, Competition, Player, Round, Table

BEFORE_ROUND: Final = (timedelta(hours=24), timedelta(hours=2))
_LONGEST_NIGHT: Final = timedelta(minutes=clocks.MOST_QUIET)


@dataclass(frozen=True)
class Reminder:
    """A reminder for a player: of kind ``round`` before the round's deadline, ``move`` before their own.

    ``account`` is the id of the account that plays the seat. ``due`` is the time to send it, outside the
    quiet hours of the game's clock, or of the club; ``awaited`` says whether the player can move now. The key
    changes when the deadline is moved or the player moves.
    """

    kind: Literal["round", "move"]
    key: str
    player: Player
    account: UUID | None
    club_game: ClubGame
    due: datetime
    deadline: datetime
    awaited: bool


def due(now: datetime) -> Sequence[Reminder]:
    """Return the reminders that are due at a time and not too late, the nearest deadline first.

    A reminder due before the game or turn began is left out, because the players were notified then. The
    number of queries does not depend on the number of games.
    """
    club_games = [*_before_rounds(now), *_before_moves(now)]
    seated = {seat.player for club_game in club_games for seat in club_game.game.seats.all()}
    players = Player.objects.select_related("account").in_bulk(list(filter(None, seated)))
    by_key = {each.key: each for club_game in club_games for each in _of(club_game, players)}
    current = [each for each in by_key.values() if each.due <= now < each.deadline]
    return sorted(current, key=lambda each: (each.deadline, each.key))


def _before_rounds(now: datetime) -> QuerySet[ClubGame]:
    """Return the running games with a deadline of their round, or of their table if it is put off, soon."""
    soon = (now, now + BEFORE_ROUND[0] + _LONGEST_NIGHT)
    return _running().filter(
        Q(
            table__round__status=Round.Status.PUBLISHED,
            table__round__deadline__range=soon,
            table__status=Table.Status.PLAYING,
        )
        | Q(table__postponed_until__range=soon),
        competition__status=Competition.Status.RUNNING,
    )


def _before_moves(now: datetime) -> QuerySet[ClubGame]:
    """Return the running games whose clock has reminders."""
    return _running().filter(game__deadline__gt=now, game__clock__reminder__gt=0)


def _running() -> QuerySet[ClubGame]:
    seats = Prefetch("game__seats", Seat.objects.order_by("number"))
    active = ClubGame.objects.filter(game__status=Game.Status.ACTIVE)
    return active.select_related("game", "club", "competition", "table__round").prefetch_related(seats)


def _of(club_game: ClubGame, players: Mapping[UUID, Player]) -> Iterator[Reminder]:
    try:
        clock = clocks.read(club_game.game.clock)
    except Malformed:
        # One stored row that nobody can read keeps no reminder of others back.
        return
    if not clock.quiet:
        clock = replace(clock, quiet=club_game.club.quiet, zone=club_game.club.timezone)
    for seat in club_game.game.seats.all():
        player = players.get(seat.player) if seat.player else None
        if player:
            yield from _of_round(club_game, clock, player, seat)
            yield from _of_move(club_game, clock, player, seat)


def _of_round(club_game: ClubGame, clock: Clock, player: Player, seat: Seat) -> Iterator[Reminder]:
    deadline, awaited = _round_ends(club_game), seat.number in club_game.game.awaited
    if deadline is None:
        return
    for before in BEFORE_ROUND:
        due = clocks.waking(clock, deadline - before, deadline)
        if due >= club_game.game.opened_at:
            key = f"round {club_game.pk} {deadline.isoformat()} {before} {player.pk}"
            yield Reminder("round", key, player, seat.account, club_game, due, deadline, awaited)


def _round_ends(club_game: ClubGame) -> datetime | None:
    """Return the deadline of the game's table, None without one or if it is not being played."""
    if club_game.table is None or club_game.competition is None:
        return None
    running = club_game.competition.status == Competition.Status.RUNNING
    return club_game.table.deadline if running else None


def _of_move(club_game: ClubGame, clock: Clock, player: Player, seat: Seat) -> Iterator[Reminder]:
    game = club_game.game
    times = Times(tuple(game.since), tuple(game.used))
    since, deadline = times.since[seat.number], clocks.deadlines(clocks.read(game.clock), times)[seat.number]
    if since is None or deadline is None or not clock.reminder:
        return
    due = clocks.waking(clock, deadline - timedelta(seconds=clock.reminder), deadline)
    if due >= since:
        key = f"move {club_game.pk} {since.isoformat()} {player.pk}"
        yield Reminder("move", key, player, seat.account, club_game, due, deadline, awaited=True)
