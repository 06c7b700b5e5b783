"""What wakes a feed: news of its topic, and moves of its games, also while it is being read."""

import asyncio
from collections.abc import Set
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from api import listening
from api.feeds import RECENT, Hub, Topic
from api.listening import Listener
from league.queries.games import channel_of as channel_of_moves
from league.services.channel import _messages, channel_of
from tests import patience

ACCOUNT, GAME, OTHER = uuid4(), uuid4(), uuid4()


def moved(hub: Hub, awaited: str, game: object = GAME) -> None:
    hub.hear(channel_of_moves(GAME), f"{game} 3 {awaited}")


@pytest.mark.parametrize(("awaited", "woken"), [("1", True), ("0,1", True), ("0", False), ("", False)])
@pytest.mark.parametrize("during", [True, False], ids=["while-it-is-read", "afterwards"])
def test_an_account_is_woken_when_its_seat_is_awaited(awaited: str, woken: bool, during: bool) -> None:
    hub = Hub()
    with hub.watched(Topic("account", ACCOUNT)) as feed:
        changed, heard = feed.changed, hub.heard
        if during:
            moved(hub, awaited)
        hub.follow(feed, {GAME: 1}, heard)
        if not during:
            moved(hub, awaited)
        moved(hub, "1", OTHER)
        assert changed.is_set() == woken


def test_a_feed_is_woken_where_too_many_moves_came_to_remember_them() -> None:
    hub = Hub()
    with hub.watched(Topic("account", ACCOUNT)) as feed:
        changed = feed.changed
        for _ in range(RECENT + 1):
            moved(hub, "0", OTHER)
        hub.follow(feed, {GAME: 1}, 0)
        assert changed.is_set()


def test_news_of_a_topic_wakes_those_inside_and_outside_and_nobody_else() -> None:
    hub, pk = Hub(), uuid4()
    topics = (Topic("club", pk), Topic("club", pk, inside=True), Topic("club", OTHER))
    with hub.watched(topics[0]) as one, hub.watched(topics[1]) as two, hub.watched(topics[2]) as three:
        changed = [feed.changed for feed in (one, two, three)]
        hub.hear(channel_of(f"club/{pk}"), f"account/{ACCOUNT} club/{pk}")
        assert [each.is_set() for each in changed] == [True, True, False]
    assert hub._feeds == {} and hub._by_game == {}


@pytest.mark.django_db
def test_a_process_is_woken_only_on_channels_that_are_watched_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "KEPT_SECONDS", 0)
    games = [UUID(int=number) for number in range(3)]
    first, second, nobody_s = (channel_of_moves(game) for game in games)
    heard: list[str] = []

    async def watch() -> None:
        begun, came = asyncio.Queue[Set[str]](), asyncio.Event()

        def hear(channel: str, _message: str) -> None:
            heard.append(channel)
            came.set()

        listener = Listener(hear, begun.put_nowait)
        listener.watch(first)
        await listener.listen()
        assert await begun.get() == {first}
        listener.watch(second)
        assert await begun.get() == {second}
        listener.leave(first)
        listener.watch(channel_of(f"club/{games[0]}"))  # what was left is given up with the next change
        await begun.get()
        async with await AsyncConnection.connect(**listening._parameters(), autocommit=True) as other:
            for channel in (nobody_s, first, second):
                await other.execute("SELECT pg_notify(%s, '')", [channel])
        await came.wait()

    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have a loop in this thread
        pool.submit(asyncio.run, asyncio.wait_for(watch(), patience.SECONDS)).result()
    assert heard == [second]


def test_messages_are_not_longer_than_the_database_takes() -> None:
    topics = [f"account/{uuid4()}" for _ in range(1000)]
    messages = list(_messages(topics))
    assert max(map(len, messages)) < 8000
    assert " ".join(messages).split() == topics
