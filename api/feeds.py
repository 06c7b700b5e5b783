"""The feeds of a web process: what its streams watch, each read once for all who watch it.

PostgreSQL notifies the process of moves, and of topics about which there is news, on the channels of what is
watched here. A notification only wakes the feeds that it may concern: these read, and find news or none.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from asgiref.sync import sync_to_async
from django.db import DatabaseError, close_old_connections

from api import events
from api.events import News
from api.listening import Listener
from league.queries.at_table import REMEMBERED, AtTable, present_at
from league.queries.games import channel_of as channel_of_moves
from league.services.channel import SAID, channel_of, is_of_topics, report_watchers

if TYPE_CHECKING:
    from api.events import ClubState

COUNT_SECONDS: Final = 20.0
"""How often a process reports how many watch games."""
RECOUNT_SECONDS: Final = 2.0
"""The least time between two reports, where watchers come and go."""
RECENT: Final = 100
"""How many changes of a club, and how many notifications, a process remembers."""
INSIDE: Final = "/inside"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Topic:
    """What is watched, and whether by somebody who may see more of it than everybody."""

    kind: str
    pk: UUID
    inside: bool = False

    @classmethod
    def read(cls, text: str) -> Topic:
        """Return the topic that `str` has written."""
        kind, pk, *inside = text.split("/")
        return cls(kind, UUID(pk), bool(inside))

    def __str__(self) -> str:
        return f"{self.kind}/{self.pk}{INSIDE if self.inside else ''}"

    @property
    def channel(self) -> str | None:
        """Return the channel with news of the topic; of a game there are moves alone."""
        return None if self.kind == "game" else channel_of(f"{self.kind}/{self.pk}")

    @property
    def is_private(self) -> bool:
        """Return whether only some may watch it."""
        return self.inside or self.kind == "account"


async def _in_thread(read: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Return what a reading returns; it is outside any request, and so manages its connection."""

    def managed() -> Any:
        close_old_connections()
        try:
            return read(*given, **named)
        finally:
            close_old_connections()

    return await sync_to_async(managed)()


# ---- Feeds ---------------------------------------------------------------------------------------


class Change(asyncio.Event):
    """What the watchers of a feed wait for: news or, if it is quiet, the time for a heartbeat.

    ``following`` is the change after this one, once this has come. Instead of a heartbeat a seat may have
    ``said`` something.
    """

    is_quiet = False
    following: Change
    said: tuple[int, bytes] | None = None

    def heard_by(self, at: AtTable | None) -> bytes:
        """Return what was said, as far as somebody hears it."""
        return self.said[1] if self.said and at is not None and self.said[0] not in at.unheard else b""


class Feed:
    """The news of a topic for all who watch it: those at the same cursor share a reading."""

    def __init__(self, hub: Hub, topic: Topic) -> None:
        self.topic = topic
        self.watchers = 0
        self.changed = Change()
        self.changed_at = monotonic()
        self.games: Mapping[UUID, int | None] = {}
        self.telling = 0
        """How many of the watchers are told how many watch."""
        self.counting = 0
        """How many of these are counted themselves."""
        self.count = b""
        """The last event that says how many watch, in other processes too; empty before there is one."""
        self.here: Counter[int] = Counter()
        """How often each seat follows the game here."""
        self.present: Mapping[int, datetime | None] = {}
        """Who is at the table or has left it, in other processes too."""
        self._hub = hub
        self._readings: dict[str, asyncio.Future[News]] = {}

    def wake(self, *, quiet: bool = False, said: tuple[int, bytes] | None = None) -> None:
        """Make all watchers look for news, or, where it is quiet, send a heartbeat or what was said."""
        if not quiet:
            self._readings = {}
        former, self.changed, self.changed_at = self.changed, Change(), monotonic()
        former.is_quiet, former.following, former.said = quiet, self.changed, said
        former.set()

    def since_change(self, change: Change | None) -> Iterator[Change]:
        """Yield the changes from one on that have come; none without one."""
        while change is not None and change is not self.changed:
            yield change
            change = change.following

    @contextmanager
    def told(self, at: AtTable | None, *, counts: bool) -> Iterator[None]:
        """Tell one more watcher meanwhile who watches; ``counts`` says that it is counted itself."""
        seat = at.seat if at else None
        self._one_more(1, counts)
        if seat is not None:
            self.here[seat] += 1
            self._hub.left.pop((self.topic.pk, seat), None)
        try:
            yield
        finally:
            self._one_more(-1, counts)
            if seat is not None:
                self.here[seat] -= 1
                if not self.here[seat]:
                    self._hub.left[self.topic.pk, seat] = monotonic()

    def presence(self, at: AtTable | None) -> bytes:
        """Return the event with who is here, for a player of the table; empty for anybody else."""
        if at is None or at.seat is None:
            return b""
        return events.present(
            {seat: left for seat, left in self.present.items() if seat not in at.unseen}
        ).text

    def _one_more(self, more: int, counts: bool) -> None:
        self.telling += more
        self.counting += more if counts else 0
        self._hub.recount = True

    def tell(self, watching: int, present: Mapping[int, datetime | None]) -> None:
        """Tell the watchers how many they are, and who is at the table, if that is news."""
        count = events.watching(watching).text
        if count != self.count or present != self.present:
            self.count, self.present = count, present
            self.wake(quiet=True)

    async def since(self, cursor: str) -> News:
        """Return the news after a cursor."""
        readings = self._readings
        if cursor not in readings:
            readings[cursor] = self._begin(cursor)
        try:
            return await asyncio.shield(readings[cursor])
        except Exception:
            readings.pop(cursor, None)
            raise

    def _begin(self, cursor: str) -> asyncio.Future[News]:
        """Return a reading that has begun."""
        return asyncio.ensure_future(self._followed(cursor))

    async def _followed(self, cursor: str) -> News:
        heard = self._hub.heard
        news = await self._read(cursor)
        self._hub.follow(self, news.games, heard)
        return news

    async def _read(self, cursor: str) -> News:
        pk, inside = self.topic.pk, self.topic.inside
        if self.topic.kind == "game":
            read: Any = await _in_thread(events.of_game, pk, cursor)
        else:
            read = await _in_thread(events.of_competition, pk, cursor, withheld=inside)
        news: News = read
        return news


class AccountFeed(Feed):
    """The news of an account, which are read together with those of other accounts."""

    def _begin(self, cursor: str) -> asyncio.Future[News]:
        return self._hub.accounts.ask(self, cursor)


class ClubFeed(Feed):
    """The news of a club. It remembers its last changes, so that watchers need not get all of it again."""

    def __init__(self, hub: Hub, topic: Topic) -> None:
        super().__init__(hub, topic)
        self._state: ClubState | None = None
        self._behind = True
        self._lock = asyncio.Lock()
        self._steps: deque[tuple[str, tuple[events.Event, ...]]] = deque(maxlen=RECENT)

    def wake(self, *, quiet: bool = False, said: tuple[int, bytes] | None = None) -> None:
        """Make all watchers look for news, or, where it is quiet, send a heartbeat."""
        self._behind = self._behind or not quiet
        super().wake(quiet=quiet, said=said)

    async def _read(self, cursor: str) -> News:
        async with self._lock:
            state = await self._caught_up() if self._behind or self._state is None else self._state
        return News(self._after(cursor, state), state.cursor, games=state.games)

    async def _caught_up(self) -> ClubState:
        """Return what is going on now, and remember what has changed."""
        self._behind = False
        pk, inside, before = self.topic.pk, self.topic.inside, self._state
        if before is None:
            self._state = await _in_thread(events.club_state, pk, member=inside)
        else:
            self._state, changes = await _in_thread(events.club_changes, pk, before, member=inside)
            if changes:
                self._steps.append((before.cursor, changes))
        assert self._state is not None
        return self._state

    def _after(self, cursor: str, state: ClubState) -> tuple[events.Event, ...]:
        """Return the changes since a cursor, or all there is where they are not remembered."""
        if cursor == state.cursor:
            return ()
        steps = list(self._steps)
        known = [number for number, (before, _changes) in enumerate(steps) if before == cursor]
        if not known:
            return (state.full_event,)
        return tuple(event for _before, changes in steps[known[-1] :] for event in changes)


@dataclass(frozen=True)
class Asked:
    """A reading of an account's news that has not begun, and how many moves were heard of before it."""

    feed: AccountFeed
    cursor: str
    heard: int
    news: asyncio.Future[News]

    @property
    def place(self) -> tuple[UUID, str]:
        """Return the account and the cursor."""
        return self.feed.topic.pk, self.cursor


class Accounts:
    """Reads the news of accounts: of all that ask while a reading is under way, in one."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._asked: list[Asked] = []
        self._reader: asyncio.Task[None] | None = None

    def ask(self, feed: AccountFeed, cursor: str) -> asyncio.Future[News]:
        """Return the reading of an account's news after a cursor."""
        news: asyncio.Future[News] = asyncio.get_running_loop().create_future()
        self._asked.append(Asked(feed, cursor, self._hub.heard, news))
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._reading())
        return news

    async def _reading(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, []
            try:
                found = await _in_thread(events.of_accounts, [each.place for each in asked])
            except Exception as error:
                for each in asked:
                    each.news.set_exception(error)
            else:
                for each in asked:
                    self._hub.follow(each.feed, found[each.place].games, each.heard)
                    each.news.set_result(found[each.place])


_KINDS: Final[Mapping[str, type[Feed]]] = {"account": AccountFeed, "club": ClubFeed}


# ---- The hub -------------------------------------------------------------------------------------


class Hub:
    """The feeds of a process, and the connection that wakes them."""

    def __init__(self) -> None:
        self.accounts = Accounts(self)
        self.heard = 0
        """How many moves were heard of."""
        self._recent: deque[tuple[int, UUID, frozenset[int]]] = deque(maxlen=RECENT)
        self._feeds: dict[str, Feed] = {}
        self._by_game: dict[UUID, set[Feed]] = {}
        self.listener = Listener(self.hear, self._begun)
        self.recount = False
        """Whether more or fewer watch than was reported."""
        self.left: dict[tuple[UUID, int], float] = {}
        """When seats left games here whom nobody follows them with any more."""
        self._process = uuid4()
        self._counted_at = -COUNT_SECONDS
        self._counter: asyncio.Task[None] | None = None

    @contextmanager
    def watched(self, topic: Topic) -> Iterator[Feed]:
        """Provide the feed of a topic to a watcher; drop the feed after the last watcher."""
        name = str(topic)
        feed = self._feeds.get(name)
        if feed is None:
            feed = self._feeds[name] = _KINDS.get(topic.kind, Feed)(self, topic)
            if topic.channel:
                self.listener.watch(topic.channel)
        feed.watchers += 1
        if topic.kind == "game":
            self.follow(feed, {topic.pk: None}, self.heard)
        try:
            yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                del self._feeds[name]
                self.follow(feed, {}, self.heard)
                if topic.channel:
                    self.listener.leave(topic.channel)

    def follow(self, feed: Feed, games: Mapping[UUID, int | None], heard: int) -> None:
        """Wake a feed at moves in these games, and now if there was one since so many were heard of."""
        if not feed.watchers:
            games = {}
        for game in feed.games.keys() - games.keys():
            self._by_game[game].discard(feed)
            if not self._by_game[game]:
                del self._by_game[game]
                self.listener.leave(channel_of_moves(game))
        for game in games.keys() - feed.games.keys():
            if game not in self._by_game:
                self._by_game[game] = set()
                self.listener.watch(channel_of_moves(game))
            self._by_game[game].add(feed)
        feed.games = games
        missed = [each for each in self._recent if each[0] > heard]
        lost = bool(games) and self.heard - heard > len(missed)
        if lost or any(_may_bring_news(feed, game, awaited) for _number, game, awaited in missed):
            feed.wake()

    def give_signs(self, seconds: float) -> bool:
        """Let the watchers of feeds that were quiet for so long send a heartbeat.

        Return whether there are feeds.
        """
        quiet_since = monotonic() - seconds
        for feed in [*self._feeds.values()]:
            if feed.changed_at <= quiet_since:
                feed.wake(quiet=True)
        return bool(self._feeds)

    def count(self) -> None:
        """Report how many watch games here, and learn how many do in all, where it is time."""
        since = monotonic() - self._counted_at
        games = {feed.topic.pk: feed for feed in self._feeds.values() if feed.telling}
        due = since >= (RECOUNT_SECONDS if self.recount else COUNT_SECONDS) and (games or self.recount)
        if due and (self._counter is None or self._counter.done()):
            self.recount, self._counted_at = False, monotonic()
            self._counter = asyncio.create_task(self._count(games))

    async def _count(self, games: Mapping[UUID, Feed]) -> None:
        counts = {pk: feed.counting for pk, feed in games.items()}
        here = {(pk, seat) for pk, feed in games.items() for seat, times in feed.here.items() if times}
        try:
            everywhere, present = await _in_thread(_reported, self._process, counts, self._seats(here))
        except DatabaseError:
            logger.warning("could not report how many watch; trying again", exc_info=True)
            return
        for pk, feed in games.items():
            feed.tell(everywhere[pk], present[pk])

    def _seats(self, here: Set[tuple[UUID, int]]) -> Mapping[str, Mapping[str, float | None]]:
        """Return who is here, None, or how many seconds ago they left, by game and seat."""
        now = monotonic()
        old = now - REMEMBERED.total_seconds()
        self.left = {place: at for place, at in self.left.items() if at > old and place not in here}
        seats: dict[str, dict[str, float | None]] = {}
        for game, seat in here:
            seats.setdefault(str(game), {})[str(seat)] = None
        for (game, seat), at in self.left.items():
            seats.setdefault(str(game), {})[str(seat)] = round(now - at, 1)
        return seats

    def hear(self, channel: str, message: str) -> None:
        """Wake the feeds that a notification may concern."""
        if is_of_topics(channel):
            for name in message.split():
                for watched in (name, f"{name}{INSIDE}"):
                    if feed := self._feeds.get(watched):
                        feed.wake()
            return
        if message.startswith(f"{SAID} "):
            self._hear_said(message)
            return
        pk, _seq, awaited = message.split(" ")
        game, seats = UUID(pk), frozenset(map(int, filter(None, awaited.split(","))))
        self.heard += 1
        self._recent.append((self.heard, game, seats))
        for feed in [*self._by_game.get(game, ())]:
            if _may_bring_news(feed, game, seats):
                feed.wake()

    def _hear_said(self, message: str) -> None:
        """Pass on what a seat says to those who follow its game, and to nobody else."""
        _said, pk, seat, what = message.split(" ", 3)
        if feed := self._feeds.get(str(Topic("game", UUID(pk)))):
            feed.wake(quiet=True, said=(int(seat), events.said(int(seat), json.loads(what)).text))

    async def listen(self) -> None:
        """Return once there is a connection for notifications."""
        await self.listener.listen()

    def _begun(self, channels: Set[str]) -> None:
        """Wake the feeds of channels that are listened to from now on."""
        for feed in [*self._feeds.values()]:
            if feed.topic.channel in channels or not channels.isdisjoint(map(channel_of_moves, feed.games)):
                feed.wake()


def _reported(
    process: UUID, games: Mapping[UUID, int], seats: Mapping[str, Mapping[str, float | None]]
) -> tuple[Mapping[UUID, int], Mapping[UUID, Mapping[int, datetime | None]]]:
    """Report who watches games here; return how many do everywhere, and who is at the tables."""
    return report_watchers(process, games, seats), present_at(games)


def _may_bring_news(feed: Feed, game: UUID, awaited: frozenset[int]) -> bool:
    """Return whether a move may bring news: after it, the feed's own seat is awaited, if it has one."""
    if game not in feed.games:
        return False
    seat = feed.games[game]
    return seat is None or seat in awaited
