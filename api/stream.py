"""Live games: the response to `games/{id}/events/` is kept open and continued as the log grows.

Django responds first, as it would without this module: it checks the caller and the game, and sends the
events so far. If the game is not over, the response stays open and is continued from the event loop.
PostgreSQL notifies the process of new entries over one connection, and each entry is read once for all
watchers of a game.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any, Final
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import AsyncConnection, Error

from api import events
from api.events import ALIVE, Event, News
from league.ops.metrics import STREAMS
from league.queries.games import NOTIFICATIONS

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

CONTINUES: Final = "Trefoil-Continues-After"
"""The header of Django's response that says after which entry the stream continues."""

_CONTINUES: Final = CONTINUES.lower().encode()

RECENT: Final = 100
RECONNECT_SECONDS: Final = 1.0
LEAVING: Final = b"retry: 1000\n\n"
"""The last words of a process that stops: the client is to connect again after a second."""
logger = logging.getLogger(__name__)


class Feed:
    """The latest events of one game, each read once for all watchers."""

    def __init__(self, game_id: UUID, seq: int) -> None:
        self.game_id = game_id
        self.watchers = 0
        self.changed = asyncio.Event()
        self._recent: deque[Event] = deque(maxlen=RECENT)
        self._head = seq
        self._over = b""
        self._behind = True
        self._lock = asyncio.Lock()

    def wake(self) -> None:
        """Make all watchers look for new events."""
        self._behind = True
        self.changed.set()
        self.changed = asyncio.Event()

    async def since(self, seq: int) -> News:
        """Return the events after entry ``seq``."""
        async with self._lock:
            if self._behind:
                await self._catch_up()
        oldest = self._recent[0].seq if self._recent else self._head + 1
        if seq + 1 < oldest:
            return await _read(self.game_id, seq)
        return News(tuple(event for event in self._recent if event.seq > seq), self._over)

    async def _catch_up(self) -> None:
        self._behind = False
        news = await _read(self.game_id, self._head)
        self._recent.extend(news.events)
        self._over = news.over
        if news.events:
            self._head = news.events[-1].seq


_read = sync_to_async(events.read)


class Hub:
    """The feeds of a process, and the connection that wakes them."""

    def __init__(self) -> None:
        self._feeds: dict[UUID, Feed] = {}
        self._listener: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    @contextmanager
    def watched(self, game_id: UUID, seq: int) -> Iterator[Feed]:
        """Provide the feed of a game to a watcher; drop the feed after the last watcher."""
        feed = self._feeds.setdefault(game_id, Feed(game_id, seq))
        feed.watchers += 1
        try:
            yield feed
        finally:
            feed.watchers -= 1
            if not feed.watchers:
                del self._feeds[game_id]

    async def listen(self) -> None:
        """Return once the connection listens for notifications."""
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(self._keep_listening())
        await self._listening.wait()

    async def _keep_listening(self) -> None:
        while True:
            try:
                await self._hear()
            except Error:
                logger.warning("lost the connection for new moves; trying again", exc_info=True)
            self._listening.clear()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _hear(self) -> None:
        """Wake feeds as notifications come, until the connection breaks."""
        async with await AsyncConnection.connect(**_connection_parameters(), autocommit=True) as connection:
            await connection.execute(f"LISTEN {NOTIFICATIONS}")
            self._listening.set()
            # There may have been notifications before this connection.
            for feed in self._feeds.values():
                feed.wake()
            async for notification in connection.notifies():
                game_id, _, _ = notification.payload.partition(" ")
                if watched := self._feeds.get(UUID(game_id)):
                    watched.wake()


def _connection_parameters() -> dict[str, Any]:
    """Return Django's connection parameters without those that only Django uses."""
    given = connections[DEFAULT_DB_ALIAS].get_connection_params()
    return {name: value for name, value in given.items() if name not in {"cursor_factory", "context"}}


class Stream:
    """The ASGI application for `games/{id}/events/`: ``plain`` responds first, then this continues."""

    def __init__(self, plain: Application, *, alive_seconds: float = 15, send_seconds: float = 30) -> None:
        """Send a comment after ``alive_seconds`` without events.

        A client that takes longer than ``send_seconds`` to receive is dropped, and can resume.
        """
        self._plain = plain
        self._alive_seconds = alive_seconds
        self._send_seconds = send_seconds
        self._hub = Hub()
        self._leaving = asyncio.Event()

    def leave(self) -> None:
        """End all streams: their clients connect again, to another process."""
        self._leaving.set()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        opening = Opening(send, may_continue=scope["method"] == "GET")
        await self._plain(scope, receive, opening)
        if opening.seq is None:
            return
        game_id = UUID(scope["path"].split("/")[-3])
        live = asyncio.create_task(self._live(game_id, opening.seq, send))
        gone = asyncio.create_task(_gone(receive))
        leaving = asyncio.create_task(self._leaving.wait())
        tasks = (live, gone, leaving)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError, TimeoutError):
                    await task
        if self._leaving.is_set() and not gone.done():
            await self._send(send, LEAVING, more=False)

    async def _live(self, game_id: UUID, seq: int, send: Send) -> None:
        """Send the events after entry ``seq`` until the game is over."""
        await self._hub.listen()
        with STREAMS.track_inprogress(), self._hub.watched(game_id, seq) as feed:
            while True:
                changed = feed.changed
                news = await feed.since(seq)
                seq = news.events[-1].seq if news.events else seq
                await self._send(send, news.text, more=not news.over)
                if news.over:
                    return
                await self._until(changed, send)

    async def _until(self, changed: asyncio.Event, send: Send) -> None:
        """Wait for a change, and send comments meanwhile."""
        while True:
            try:
                async with asyncio.timeout(self._alive_seconds):
                    await changed.wait()
                    return
            except TimeoutError:
                await self._send(send, ALIVE)

    async def _send(self, send: Send, text: bytes, more: bool = True) -> None:
        if text:
            async with asyncio.timeout(self._send_seconds):
                await send({"type": "http.response.body", "body": text, "more_body": more})


class Opening:
    """Forwards Django's response; ``seq`` is the entry after which it continues, None where it doesn't."""

    def __init__(self, send: Send, *, may_continue: bool) -> None:
        self.seq: int | None = None
        self._send = send
        self._may_continue = may_continue

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._may_continue:
            continues = dict(message["headers"]).get(_CONTINUES)
            if continues is not None:
                self.seq = int(continues)
                dropped = (_CONTINUES, b"content-length")
                headers = [(name, value) for name, value in message["headers"] if name not in dropped]
                message = {**message, "headers": headers}
        elif self.seq is not None:
            if not message.get("body"):
                return  # Django ends its response here; the stream goes on.
            message = {**message, "more_body": True}
        await self._send(message)


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        continue
