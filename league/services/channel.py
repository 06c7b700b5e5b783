"""How web processes hear that there is something new to read, beside moves of games; and who watches games.

A message names topics and says nothing else: who watches one reads what it may.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import connection

from games import database_time
from games.engine.jsontypes import JsonObject
from league.hooks import HOUSE_BOTS
from league.models import WatchedGames
from league.queries.games import channel_of as channel_of_moves
from league.queries.wall import watchers_of

SHARDS: Final = 64
"""How many channels there are. A process listens to those of the topics that somebody watches there."""
BOTS: Final = "trefoil_bots"
"""The channel of the accounts of house bots, for workers."""
SAID: Final = "said"
"""Begins a message on the channel of a game's moves that is no move."""
_NEWS: Final = "trefoil_news_"
_LONGEST: Final = 7900
"""PostgreSQL takes at most 7999 bytes."""


def topic(kind: str, pk: UUID) -> str:
    """Return the topic of an account, a competition or a club."""
    return f"{kind}/{pk}"


def channel_of(its_topic: str) -> str:
    """Return the channel on which is told of a topic; its messages are topics, parted by spaces."""
    kind, pk = its_topic.split("/")
    if kind == "account" and UUID(pk) in HOUSE_BOTS:
        return BOTS
    return f"{_NEWS}{UUID(pk).int % SHARDS}"


def is_of_topics(channel: str) -> bool:
    """Return whether the messages of a channel are topics, and not moves."""
    return channel.startswith(_NEWS)


def tell(topics: Iterable[str]) -> None:
    """Tell those who watch the topics that there is news, once the transaction is committed."""
    by_channel: dict[str, list[str]] = {}
    for each in sorted({*topics}):
        by_channel.setdefault(channel_of(each), []).append(each)
    sent = [(channel, message) for channel, each in by_channel.items() for message in _messages(each)]
    if sent:
        channels, messages = map(list, zip(*sent, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_notify(channel, message)"
                " FROM unnest(%s::text[], %s::text[]) AS sent(channel, message)",
                [channels, messages],
            )


def _messages(topics: Iterable[str]) -> Iterator[str]:
    """Yield the topics in as few messages as they fit in."""
    message = ""
    for each in topics:
        if message and len(message) + 1 + len(each) > _LONGEST:
            yield message
            message = ""
        message = f"{message} {each}" if message else each
    if message:
        yield message


def say(game: UUID, seat: int, said: JsonObject) -> None:
    """Tell those who follow a game what its seat says beside it, once the transaction is committed.

    It is kept nowhere: who comes later does not hear it.
    """
    message = f"{SAID} {game} {seat} {json.dumps(said)}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel_of_moves(game), message])


# ---- Watchers ------------------------------------------------------------------------------------

_KEPT: Final = timedelta(hours=1)
NOBODY: Final[Mapping[str, Mapping[str, float | None]]] = {}


def report_watchers(
    process: UUID, games: Mapping[UUID, int], present: Mapping[str, Mapping[str, float | None]] = NOBODY
) -> Mapping[UUID, int]:
    """Keep how many watch games through a process; return how many watch them through all processes.

    ``present`` are the seats that are there, None, or left so many seconds ago.

    The report replaces the one before, and lapses after `league.queries.wall.LAPSES`.
    """
    now = database_time.now()
    counts = {str(game): count for game, count in games.items() if count}
    values = {"games": counts, "present": present, "at": now}
    WatchedGames.objects.update_or_create(process=process, defaults=values)
    WatchedGames.objects.filter(at__lt=now - _KEPT).delete()
    return watchers_of(games)
