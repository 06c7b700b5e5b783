"""What wakes a feed: news of its topic, and moves of its games, also while it is being read."""

from uuid import uuid4

import pytest

from api.feeds import RECENT, Hub, Topic
from league.queries.games import NOTIFICATIONS
from league.services.channel import CHANNEL, _messages

ACCOUNT, GAME, OTHER = uuid4(), uuid4(), uuid4()


def moved(hub: Hub, awaited: str, game: object = GAME) -> None:
    hub.hear(NOTIFICATIONS, f"{game} 3 {awaited}")


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
        hub.hear(CHANNEL, f"account/{ACCOUNT} club/{pk}")
        assert [each.is_set() for each in changed] == [True, True, False]
    assert hub._feeds == {} and hub._by_game == {}


def test_messages_are_not_longer_than_the_database_takes() -> None:
    topics = [f"account/{uuid4()}" for _ in range(1000)]
    messages = list(_messages(topics))
    assert max(map(len, messages)) < 8000
    assert " ".join(messages).split() == topics
