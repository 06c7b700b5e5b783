"""Live streams: a response is kept open and continued as there is news, or is held back until there is.

Django responds first, as it would without this module: it checks the caller, and sends what there is. If the
response says that it continues, it stays open and is continued from the event loop. If it says that it waits,
nothing is sent: Django is asked again when there is news, or when the time is over.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import nullcontext, suppress
from time import monotonic
from typing import Any, Final

from api.events import ALIVE, SAID_ALIVE
from api.feeds import Feed, Hub, Topic
from league.ops.metrics import STREAMS
from league.queries.at_table import AtTable

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTINUES: Final = "Trefoil-Continues-After"
"""The header of Django's response that names topic and cursor after which a stream continues."""
WAITS: Final = "Trefoil-Waits-After"
"""The header of a response without news that names topic, cursor, and for how many seconds to wait."""

WATCHES: Final = "Trefoil-Watches"
"""The header that says that the stream of a game tells how many watch it: to a player, or to one of them."""
COMPANY: Final = "Trefoil-Company"
"""The header that says how somebody follows a game who asked for that (`league.queries.at_table.AtTable`)."""
SIGNS: Final = "Trefoil-Signs"
"""The header that says that heartbeats are to be events."""
PLAYS: Final = "plays"
COUNTED: Final = "counted"

LEAVING: Final = b"retry: 1000\n\n"
"""The last words of a process that stops: the client is to connect again after a second."""

_CONTINUES: Final = CONTINUES.lower().encode()
_WAITS: Final = WAITS.lower().encode()
_SIGNS: Final = SIGNS.lower().encode()
_WATCHES: Final = WATCHES.lower().encode()
_COMPANY: Final = COMPANY.lower().encode()
_OWN: Final = frozenset({_CONTINUES, _WAITS, _SIGNS, _WATCHES, _COMPANY})
"""The headers that a view tells the stream by, and nobody else is to read."""
_WAIT: Final = re.compile(rb"\bwait=[0-9]+")


class Stream:
    """The ASGI application for streams: ``plain`` responds first, then this continues."""

    def __init__(
        self,
        plain: Application,
        *,
        alive_seconds: float = 15,
        send_seconds: float = 30,
        check_seconds: float = 60,
    ) -> None:
        """Send a comment after ``alive_seconds`` without events.

        A client that takes longer than ``send_seconds`` to receive is dropped, and can resume. Where not
        everybody may read, ``plain`` is asked every ``check_seconds`` whether the caller still may, and at a
        table whom its players hear.
        """
        self._plain = plain
        self._alive_seconds = alive_seconds
        self._send_seconds = send_seconds
        self._check_seconds = check_seconds
        self._hub = Hub()
        self._leaving = asyncio.Event()
        self._sending: dict[asyncio.Task[Any], float] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def leave(self) -> None:
        """End all streams: their clients connect again, to another process."""
        self._leaving.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        opening = Opening(send, may_continue=scope["method"] == "GET")
        await self._plain(scope, receive, opening)
        if opening.after is None:
            return
        topic, cursor, *seconds = opening.after.split(" ")
        if seconds:
            going_on = self._waited(scope, Topic.read(topic), cursor, float(seconds[0]), opening, send)
        else:
            going_on = self._live(scope, Topic.read(topic), cursor, send, opening)
        live = asyncio.create_task(going_on)
        gone = asyncio.create_task(_gone(receive))
        leaving = asyncio.create_task(self._leaving.wait())
        tasks = (live, gone, leaving)
        cut = False
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            cut = not (live.done() or gone.done())
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError, TimeoutError):
                    await task
        if cut and opening.held:
            await _send_all(opening.held, send)
        elif cut:
            async with asyncio.timeout(self._send_seconds):
                await self._send(send, LEAVING, more=False)

    # ---- Streams ---------------------------------------------------------------------------------

    async def _live(self, scope: Scope, topic: Topic, cursor: str, send: Send, opening: Opening) -> None:
        """Send the events after a cursor until there can be no others, or the caller may not read them.

        Heartbeats are as the opening says.
        """
        checked = monotonic()
        await self._hub.listen()
        with (
            STREAMS.track_inprogress(),
            self._hub.watched(topic) as feed,
            feed.told(opening.at, counts=opening.watches == COUNTED) if opening.follows else nullcontext(),
        ):
            self._begin_sweeping()
            changed, told = None, False
            while True:
                if (topic.is_private or opening.plays) and monotonic() - checked >= self._check_seconds:
                    again = await self._asked_again(scope, topic)
                    if topic.is_private and again is None:
                        await self._send(send, b"", more=False)
                        return
                    opening.at, checked = again.at if again else opening.at, monotonic()
                if changed is not None and changed.is_quiet:
                    text = changed.heard_by(opening.at) or opening.sign + opening.told_by(feed)
                    changed = changed.following
                    await self._send(send, text)
                else:
                    heard = b"".join(each.heard_by(opening.at) for each in feed.since_change(changed))
                    changed = feed.changed
                    news = await feed.since(cursor)
                    cursor = news.cursor
                    await self._send(send, heard + news.text, more=not news.over)
                    if news.over:
                        return
                    if opening.follows and not told:
                        await self._send(send, opening.told_by(feed))
                        told = True
                await changed.wait()

    async def _send(self, send: Send, text: bytes, more: bool = True) -> None:
        if text or not more:
            task = asyncio.current_task()
            assert task is not None
            self._sending[task] = monotonic()
            try:
                await send({"type": "http.response.body", "body": text, "more_body": more})
            finally:
                del self._sending[task]

    # One task looks after all streams: a timer for each would cost as much as what is sent.

    def _begin_sweeping(self) -> None:
        if self._sweeper is None or self._sweeper.done():
            self._sweeper = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        """Send heartbeats where nothing is new, and drop who does not receive, while anybody watches."""
        pause = min(self._alive_seconds, self._send_seconds) / 15
        while self._hub.give_signs(self._alive_seconds):
            for task, since in self._sending.items():
                if monotonic() - since >= self._send_seconds:
                    task.cancel()
            self._hub.count()
            await asyncio.sleep(pause)

    async def _asked_again(self, scope: Scope, topic: Topic) -> Opening | None:
        """Return how the caller would get the same stream now, None where they would not."""
        answer = Opening(_nowhere, may_continue=True)
        await self._plain({**scope, "state": {}}, _nothing(), answer)
        return answer if answer.after is not None and answer.after.split(" ")[0] == str(topic) else None

    # ---- Long polls ------------------------------------------------------------------------------

    async def _waited(
        self, scope: Scope, topic: Topic, cursor: str, seconds: float, opening: Opening, send: Send
    ) -> None:
        """Send what Django answers when there is news, or what it has answered when the time is over."""
        await self._hub.listen()
        with self._hub.watched(topic) as feed, suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news(feed, cursor)
                opening.held.clear()
        if opening.held:
            await _send_all(opening.held, send)
            return
        query = _WAIT.sub(b"wait=0", scope["query_string"])
        await self._plain({**scope, "query_string": query, "state": {}}, _nothing(), send)

    async def _news(self, feed: Feed, cursor: str) -> None:
        """Return once there is news after a cursor."""
        while True:
            changed = feed.changed
            news = await feed.since(cursor)
            if news.events:
                return
            await changed.wait()


class Opening:
    """Forwards Django's response, unless it is to wait; ``after`` is what its header says of what follows.

    ``watches`` is what the response says of who is told how many watch, empty for nothing, ``at`` how the
    caller is at a table, None where that was not asked for, and ``sign`` what is sent as a heartbeat.
    """

    def __init__(self, send: Send, *, may_continue: bool) -> None:
        self.after: str | None = None
        self.watches = ""
        self.at: AtTable | None = None
        self.sign = ALIVE
        self.held: list[Message] = []
        self._send = send
        self._may_continue = may_continue
        self._holds = False

    @property
    def follows(self) -> bool:
        """Return whether the caller is told who follows a game."""
        return bool(self.watches) or self.at is not None

    @property
    def plays(self) -> bool:
        """Return whether the caller follows their own table."""
        return self.at is not None and self.at.seat is not None

    def told_by(self, feed: Feed) -> bytes:
        """Return what the caller is told of who follows a game."""
        return (feed.count if self.watches else b"") + feed.presence(self.at)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message = self._started(message)
        elif self.after is not None and not self._holds:
            if not message.get("body"):
                return  # Django ends its response here; the stream goes on.
            message = {**message, "more_body": True}
        if self._holds:
            self.held.append(message)
        else:
            await self._send(message)

    def _started(self, message: Message) -> Message:
        given = dict(message["headers"])
        after = given.get(_WAITS) or given.get(_CONTINUES)
        if after is None:
            return message
        headers = [(name, value) for name, value in message["headers"] if name not in _OWN]
        if not self._may_continue:
            return {**message, "headers": headers}
        self._holds = _WAITS in given
        self.after = after.decode()
        self.watches = given.get(_WATCHES, b"").decode()
        self.at = AtTable.read(given[_COMPANY].decode()) if _COMPANY in given else None
        self.sign = SAID_ALIVE if _SIGNS in given else ALIVE
        if not self._holds:
            headers = [(name, value) for name, value in headers if name != b"content-length"]
        return {**message, "headers": headers}


async def _send_all(messages: Sequence[Message], send: Send) -> None:
    for message in messages:
        await send(message)


def _nothing() -> Receive:
    """Return what receives an empty body, and then nothing more."""
    messages: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else await asyncio.Future()

    return receive


async def _nowhere(message: Message) -> None:
    """Drop what is sent."""


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        continue
