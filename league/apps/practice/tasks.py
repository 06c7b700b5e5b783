"""One thread of the whole site plays for the house bots: it hears of the moves in their games.

It runs in each worker, and one of them at a time is elected by a lock in the database, which lasts as long as
the connection on which the thread hears. What it misses, the sweep finds.
"""

from collections.abc import Callable
from functools import lru_cache
from math import inf
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, TypeAlias
from uuid import UUID

import structlog
from celery import shared_task
from celery.signals import worker_ready
from django.db import DatabaseError, close_old_connections, connection
from psycopg import Connection, Error

from games import log
from games.models import Seat
from league.apps.practice import bots, queries
from league.hooks import HOUSE_BOTS
from league.services.channel import BOTS
from league.services.queue import Found

LISTEN_SECONDS: Final = 1.0
"""How long the thread waits before it looks whether it is to stop."""
LOOK_SECONDS: Final = 15.0
"""How often it looks for games of which it did not hear."""
ELECTION_SECONDS: Final = 5.0
"""How often it looks whether it is elected."""
LONGEST_PAUSE: Final = 60.0
"""How long it waits after errors at most; at first a second, then twice as long each time."""
# The database has to notice soon that a host is gone which said nothing: until then nobody else is elected.
_ALIVE: Final = (
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;"
    " SET tcp_user_timeout = '10s'"
)
Play: TypeAlias = Callable[[UUID], object]
_log = structlog.get_logger(__name__)


@shared_task(base=Found)
def move_bot(game_id: str) -> None:
    """Make the move of a house bot that the thread has missed, if the game waits for one."""
    bots.move_bot(game_id=UUID(game_id))


@worker_ready.connect
def play_for_bots(**_: object) -> None:
    """Let a thread of the worker play for the house bots whenever it is elected, for as long as it runs.

    No task does, so that their moves wait for no email or webhook.
    """
    given = (lambda game: bots.move_bot(game_id=game), Event())
    Thread(target=run, args=given, name="bots", daemon=True).start()


def run(play: Play, stop: Event) -> None:
    """Call ``play`` with each game that has come to wait for a house bot, while elected, until the event."""
    failures = 0
    while not stop.is_set():
        began = monotonic()
        try:
            _stand(play, stop)
        except Exception as error:
            report = _log.warning if isinstance(error, (Error, DatabaseError)) else _log.error
            report("bots_do_not_hear", exc_info=True)
            failures = failures + 1 if monotonic() - began < LONGEST_PAUSE else 1
            stop.wait(min(2.0 ** (failures - 1), LONGEST_PAUSE))
        else:
            stop.wait(ELECTION_SECONDS)
        finally:
            connection.close()


def _stand(play: Play, stop: Event) -> None:
    """Play until the event if no other thread is elected."""
    parameters = connection.direct_parameters()  # type: ignore[attr-defined]  # of our own backend
    with connection.get_new_connection(parameters) as heard:
        heard.autocommit = True
        heard.execute(_ALIVE)
        (elected,) = heard.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [BOTS]).fetchone()
        if elected:
            _listen(heard, play, stop)


def _listen(heard: Connection[Any], play: Play, stop: Event) -> None:
    heard.execute(f"LISTEN {BOTS}")
    channels, looked = frozenset[str](), -inf
    while not stop.is_set():
        if monotonic() - looked > LOOK_SECONDS:
            channels, looked = _follow(heard, channels), monotonic()
            for game in queries.games_awaiting_bots():
                _play(game, play)
        for notification in heard.notifies(timeout=LISTEN_SECONDS):
            if notification.channel == BOTS:
                looked = -inf
                break
            _hear(notification.payload, play)
        if channels:
            close_old_connections()
        else:  # a server of the database keeps 7 MB for each
            connection.close()


def _follow(heard: Connection[Any], before: frozenset[str]) -> frozenset[str]:
    """Listen to the channels of the games that bots play now, and return them."""
    channels = frozenset(map(log.channel_of, queries.games_of_bots()))
    changes = [f"UNLISTEN {each}" for each in before - channels]
    changes += [f"LISTEN {each}" for each in channels - before]
    # Without any changes too: a broken connection is noticed.
    heard.execute("; ".join(sorted(changes)) or "SELECT 1")
    return channels


def _hear(message: str, play: Play) -> None:
    """Play in the game of a move if it waits for a bot now."""
    game, _seq, awaited = message.split(" ")
    seats = {int(seat) for seat in awaited.split(",") if seat}
    if seats & _bots_in(UUID(game)):
        _play(UUID(game), play)


def _play(game: UUID, play: Play) -> None:
    """Play in a game; where that fails, the others go on."""
    try:
        play(game)
    except Exception:
        _log.exception("bot_cannot_move", game=str(game))
        close_old_connections()


@lru_cache(maxsize=10_000)
def _bots_in(game: UUID) -> frozenset[int]:
    """Return the seats of house bots in a game, as they were when it was first heard of."""
    seats = Seat.objects.filter(game=game, account__in=HOUSE_BOTS)
    return frozenset(seats.values_list("number", flat=True))
