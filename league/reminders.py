"""What players are to be reminded of before a deadline, and when. Nothing is sent from here.

A reminder is a fact with a key that stays, so that whoever sends it can send it once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from games.engine import clocks
from games.engine.clocks import Clock, Times
from games.models import Game, Seat
from league.models import ClubGame, Competition, Player, Round, Table

BEFORE_ROUND: Final = (timedelta(hours=24), timedelta(hours=2))
_LONGEST_NIGHT: Final = timedelta(minutes=clocks.MOST_QUIET)


@dataclass(frozen=True)
class Reminder:
    """A player to remind of a table: ``round`` before the round's deadline, ``move`` before their own.

    ``due`` is when to do so, outside the quiet hours of the game's clock; ``awaited`` says whether the game
    waits for this player. The key is another one once the deadline has been moved, or a move been made.
    """

    kind: Literal["round", "move"]
    key: str
    player: Player
    place: ClubGame
    due: datetime
    deadline: datetime
    awaited: bool


def due(now: datetime) -> Sequence[Reminder]:
    """Return what is due at an aware moment and not yet too late, the nearest deadline first.

    What fell due before the game, or the turn, began is left out: its players were told of it just then. The
    number of queries does not grow with that of games.
    """
    places = [*_before_rounds(now), *_before_moves(now)]
    seated = {seat.player for place in places for seat in place.game.seats.all()}
    players = Player.objects.select_related("account").in_bulk(list(filter(None, seated)))
    found = {each.key: each for place in places for each in _of(place, players)}
    current = [each for each in found.values() if each.due <= now < each.deadline]
    return sorted(current, key=lambda each: (each.deadline, each.key))


def _before_rounds(now: datetime) -> QuerySet[ClubGame]:
    """Return the running games whose round ends soon."""
    return _running().filter(
        table__round__status=Round.Status.PUBLISHED,
        table__round__deadline__gt=now,
        table__round__deadline__lte=now + BEFORE_ROUND[0] + _LONGEST_NIGHT,
        table__status=Table.Status.PLAYING,
        competition__status=Competition.Status.RUNNING,
    )


def _before_moves(now: datetime) -> QuerySet[ClubGame]:
    """Return the running games whose clock reminds."""
    return _running().filter(game__deadline__gt=now, game__clock__reminder__gt=0)


def _running() -> QuerySet[ClubGame]:
    seats = Prefetch("game__seats", Seat.objects.order_by("number"))
    active = ClubGame.objects.filter(game__status=Game.Status.ACTIVE)
    return active.select_related("game", "club", "competition", "table__round").prefetch_related(seats)


def _of(place: ClubGame, players: Mapping[UUID, Player]) -> Iterator[Reminder]:
    clock = clocks.read(place.game.clock)
    for seat in place.game.seats.all():
        player = players.get(seat.player) if seat.player else None
        if player:
            yield from _of_round(place, clock, player, seat.number in place.game.awaited)
            yield from _of_move(place, clock, player, seat.number)


def _of_round(place: ClubGame, clock: Clock, player: Player, awaited: bool) -> Iterator[Reminder]:
    deadline = _round_ends(place)
    if deadline is None:
        return
    for before in BEFORE_ROUND:
        due = clocks.waking(clock, deadline - before, deadline)
        if due >= place.game.opened_at:
            key = f"round {place.pk} {deadline.isoformat()} {before} {player.pk}"
            yield Reminder("round", key, player, place, due, deadline, awaited)


def _round_ends(place: ClubGame) -> datetime | None:
    """Return the deadline of the round that the game is played in, None where none runs."""
    if place.table is None or place.competition is None:
        return None
    played = place.table.round.status == Round.Status.PUBLISHED
    running = place.competition.status == Competition.Status.RUNNING
    return place.table.round.deadline if played and running else None


def _of_move(place: ClubGame, clock: Clock, player: Player, seat: int) -> Iterator[Reminder]:
    times = Times(tuple(place.game.since), tuple(place.game.used))
    since, deadline = times.since[seat], clocks.deadlines(clock, times)[seat]
    if since is None or deadline is None or not clock.reminder:
        return
    due = clocks.waking(clock, deadline - timedelta(seconds=clock.reminder), deadline)
    if due >= since:
        key = f"move {place.pk} {since.isoformat()} {player.pk}"
        yield Reminder("move", key, player, place, due, deadline, awaited=True)
