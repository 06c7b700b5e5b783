"""Bounds on what one client can hold of a web process.

Threads are few, and waiting on the event loop costs little. So bodies are read, and answers are sent, on the
loop, within a time and a size; and complete requests wait there, for a time, for a free thread. What changes
something comes first, what is costly to make comes last, and each address has a share of the threads.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, Final, TypeAlias

from league.ops import metrics

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Refusal: TypeAlias = Callable[[Scope, HTTPStatus], tuple[Mapping[str, str], bytes]]
"""From a request and a status, the headers and the content of an answer."""

Shares: TypeAlias = Mapping[str, int]

_READ_TOO_MUCH: Final = 5
"""How many times the longest body is read of one that is too big: clients look for the answer after it."""
_REMEMBERED: Final = 10_000
"""Of how many the queue for slow work knows when they had their turn."""
GONE: Final = "trefoil.gone"
"""Set in the scope's state when nobody receives the answer any more."""


MOST_FILE_BYTES: Final = 8 * 1024 * 1024
"""The largest file that a form sends, with its other fields in one body."""


@dataclass(frozen=True)
class Bounds:
    """Limits of a process: seconds, bytes and numbers of requests.

    An answer that has not begun after ``begin_seconds`` in a thread is 503; its thread goes on to its end.
    ``least_rate``, bytes a second, is what a client must read, beyond ``send_seconds``, to get a long answer.
    ``of_one`` threads work for one address. ``costly`` threads do costly work of a kind, one for an address.
    ``slow_waiting`` requests wait for slow or costly work, ``slow_of_one`` of one network or device.
    Who is told to come again is told after ``refusal_seconds``.
    ``answer_bytes`` of an answer are kept for a slow client, and ``kept_bytes`` of all bodies and answers.
    """

    threads: int = 8
    of_one: int = 3
    costly: int = 2
    body_seconds: float = 20
    body_bytes: int = MOST_FILE_BYTES + 600_000
    wait_seconds: float = 10
    refusal_seconds: float = 1
    waiting: int = 500
    waiting_of_one: int = 250
    begin_seconds: float = 35
    send_seconds: float = 30
    least_rate: int = 20_000
    answer_bytes: int = 8_000_000
    kept_bytes: int = 128_000_000
    slow_waiting: int = 16
    slow_of_one: int = 8


class Refused(Exception):
    """The request is answered with this status and does not reach the application."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


class Left(Exception):
    """The client left before its request was complete."""


class Store:
    """The bytes that a process keeps for clients at the moment."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.kept = 0

    def has_room(self, size: int) -> bool:
        """Return whether so many bytes more can be kept."""
        return self.kept + size <= self._most


def network(address: str, bits: int = 48) -> str:
    """Return whom an address is counted as: itself, or the network of IPv6 that one customer can have."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    return str(known if known.version == 4 else ip_network((address, bits), strict=False))


@dataclass(frozen=True)
class Queuer:
    """Who waits: a network, or a device that is ``known`` and goes before others that had no turn lately."""

    key: str
    known: bool = False


@dataclass(eq=False)
class Place:
    """The place of a request in the queue, and what is done when it is ``free`` to begin."""

    priority: int
    shares: Shares
    who: Queuer | None
    free: "asyncio.Future[None]"


class Threads:
    """The queue for the threads of a process: by priority, with shares for each address and for costly work.

    A request waits while all threads, those of its address, or those for costly work are taken; another one
    that does not need these goes first. Work that is slow on purpose has one thread, and few wait for it:
    whoever had no turn for longest is the next, and where too many wait, the last of whoever has most of them
    gives way. So a few who ask much keep nobody away.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._taken: Counter[str] = Counter()
        self._queue: list[Place] = []
        self._turns: dict[str, int] = {}
        self._turn = 0

    def shares(self, scope: Scope, costly: str, slow: bool) -> Shares:
        """Return of what a request takes a thread, each with how many there are; ``costly`` may be ``""``."""
        address, bounds = f"address {network(str((scope.get('client') or ('',))[0]))}", self._bounds
        shares = {"": bounds.threads, address: bounds.of_one}
        if slow:
            return shares | {"slow": 1}
        return shares | {costly: bounds.costly, f"{costly} {address}": 1} if costly else shares

    async def take(self, shares: Shares, priority: int, who: Queuer | None) -> None:
        """Return when a thread is free; raise `Refused` where that takes too long, or too many wait.

        ``who`` is for work that is slow.
        """
        if who:
            self._make_room(who)
        elif self._is_crowded(shares):
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
        place = Place(priority, shares, who, asyncio.get_running_loop().create_future())
        self._queue.append(place)
        self._give()
        metrics.QUEUED.inc()
        try:
            async with asyncio.timeout(self._bounds.wait_seconds):
                await place.free
        except (TimeoutError, asyncio.CancelledError) as error:
            if place in self._queue:
                self._queue.remove(place)
            elif not place.free.exception():  # it became free at the same moment
                self.leave(shares)
            if isinstance(error, TimeoutError):
                raise Refused(HTTPStatus.SERVICE_UNAVAILABLE) from None
            raise
        finally:
            metrics.QUEUED.dec()

    def leave(self, shares: Shares) -> None:
        """Give the thread to the next request."""
        self._taken -= Counter(shares.keys())
        self._give()

    def _give(self) -> None:
        if self._taken[""] >= self._bounds.threads:
            return
        for place in sorted(self._queue, key=self._rank):
            if not place.free.done() and all(self._taken[name] < most for name, most in place.shares.items()):
                self._queue.remove(place)
                self._taken += Counter(place.shares.keys())
                self._note_turn(place.who)
                place.free.set_result(None)

    def _rank(self, place: Place) -> tuple[int, int, bool]:
        who = place.who
        return place.priority, self._turns.get(who.key, 0) if who else 0, bool(who and not who.known)

    def _note_turn(self, who: Queuer | None) -> None:
        if who:
            if len(self._turns) >= _REMEMBERED:
                self._turns.clear()
            self._turn += 1
            self._turns[who.key] = self._turn

    def _is_crowded(self, shares: Shares) -> bool:
        """Return whether too many wait for one of the shares that a request needs."""
        bounds = self._bounds
        of_all, of_address, *of_costly = (
            sum(name in place.shares for place in self._queue) for name in shares
        )
        costly, own = of_costly or (0, 0)
        full = of_all >= bounds.waiting or of_address >= bounds.waiting_of_one
        return full or costly >= bounds.slow_waiting or own >= bounds.slow_of_one

    def _make_room(self, who: Queuer) -> None:
        """Let somebody who waits give way, if too many do; raise `Refused` where that is ``who``."""
        waiting = [(place.who, place) for place in self._queue if place.who and not place.free.done()]
        count = Counter(each.key for each, _place in waiting)
        if count[who.key] >= self._bounds.slow_of_one:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
        if len(waiting) < self._bounds.slow_waiting:
            return

        def greed(each: Queuer, more: int = 0) -> tuple[int, bool]:
            return count[each.key] + more, not each.known

        greedy, last = max(reversed(waiting), key=lambda pair: greed(pair[0]))
        if greed(greedy) <= greed(who, 1):
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
        self._queue.remove(last)
        last.free.set_exception(Refused(HTTPStatus.SERVICE_UNAVAILABLE))


class Bounded:
    """An ASGI application in front of a threaded one, within `Bounds`."""

    def __init__(
        self,
        application: Application,
        refusal: Refusal,
        bounds: Bounds,
        slow: Callable[[Scope], Queuer | None] = lambda scope: None,
        costly: Callable[[Scope], str] = lambda scope: "",
    ) -> None:
        self._application = application
        self._slow, self._costly = slow, costly
        self._refusal = refusal
        self._bounds = bounds
        self._store = Store(bounds.kept_bytes)
        self._threads = Threads(bounds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(receive, self._bounds, self._store)
        try:
            await body.read(scope)
            slow, costly = self._slow(scope), self._costly(scope)
            shares = self._threads.shares(scope, costly, slow is not None)
            await self._threads.take(shares, _priority(scope, costly), slow)
        except Left:
            body.drop()
            return
        except Refused as refused:
            metrics.SHED.labels(str(int(refused.status))).inc()
            body.drop()
            if refused.status == HTTPStatus.SERVICE_UNAVAILABLE:  # who asks again at once costs less so
                await asyncio.sleep(self._bounds.refusal_seconds)
            headers, content = self._refusal(scope, refused.status)
            # More of the body may come.
            await answer(send, refused.status, {**headers, "Connection": "close"}, content)
            return
        await self._answer(scope, body, send, partial(self._threads.leave, shares))

    async def _answer(self, scope: Scope, body: "Body", send: Send, leave: Callable[[], None]) -> None:
        """Let the application answer, in the thread that is taken; answer for it where it does not begin."""
        outbox = Outbox(scope, send, self._bounds, self._store)
        late = asyncio.get_running_loop().call_later(self._bounds.begin_seconds, self._give_up, scope, outbox)
        try:
            with metrics.BUSY.track_inprogress():
                await self._application(scope, body.receive, outbox.put)
        finally:
            late.cancel()
            leave()
            body.drop()
            await outbox.finish()

    def _give_up(self, scope: Scope, outbox: "Outbox") -> None:
        outbox.instead(*self._refusal(scope, HTTPStatus.SERVICE_UNAVAILABLE))


def _priority(scope: Scope, costly: str) -> int:
    """Return 0 for what changes something, such as a move, 1 for what is read, 2 where that is costly."""
    reads = scope.get("method", "GET") in ("GET", "HEAD", "OPTIONS")
    return (2 if costly else 1) if reads else 0


class Body:
    """The body of a request, read whole before the request reaches a thread."""

    def __init__(self, receive: Receive, bounds: Bounds, store: Store) -> None:
        self._receive = receive
        self._bounds = bounds
        self._store = store
        self._messages: list[Message] = []
        self._size = self._read = 0
        self._is_whole = False

    async def read(self, scope: Scope) -> None:
        """Read the body; raise `Refused` for one that is too big or too slow, `Left` where it never comes.

        One that came in chunks gets its length: without one, WSGI takes a body to be empty.
        """
        declared = dict(scope["headers"]).get(b"content-length", b"")
        length, most = int(declared) if declared.isdigit() else 0, self._bounds.body_bytes
        too_big, endless = length > most, length > _READ_TOO_MUCH * most
        try:
            async with asyncio.timeout(
                self._bounds.refusal_seconds if endless else self._bounds.body_seconds
            ):
                while not too_big and (message := await self._next()):
                    too_big = not self._keep(message)
                while too_big and self._read < _READ_TOO_MUCH * most:
                    if await self._next() is None:
                        break
        except TimeoutError:
            if not too_big:
                raise Refused(HTTPStatus.REQUEST_TIMEOUT) from None
        if too_big:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if self._read and not declared:
            scope["headers"] = [*scope["headers"], (b"content-length", b"%d" % self._read)]

    async def _next(self) -> Message | None:
        """Return the next part of the body, None after the last one."""
        if self._is_whole:
            return None
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise Left
        self._is_whole = not message.get("more_body")
        self._read += len(message.get("body", b""))
        return message

    def _keep(self, message: Message) -> bool:
        """Keep a part of the body; return whether it is not too big with it."""
        if self._read > self._bounds.body_bytes:
            return False
        size = len(message.get("body", b""))
        if not self._store.has_room(size):
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE)
        self._size += size
        self._store.kept += size
        self._messages.append(message)
        return True

    async def receive(self) -> Message:
        """Return the next part of the body, then whatever the server receives."""
        return self._messages.pop(0) if self._messages else await self._receive()

    def drop(self) -> None:
        """Keep the body no longer."""
        self._store.kept -= self._size
        self._size = 0


class Outbox:
    """Sends an answer as quickly as the client reads it, while the thread that makes it goes on."""

    def __init__(self, scope: Scope, send: Send, bounds: Bounds, store: Store) -> None:
        self._scope = scope
        self._send = send
        self._bounds = bounds
        self._store = store
        self._queue: asyncio.Queue[Message | None] = asyncio.Queue()
        self._kept = 0
        self._begun = self._replaced = False
        self._left = asyncio.Event()
        self._sender = asyncio.create_task(self._sending())

    async def put(self, message: Message) -> None:
        """Queue a message; wait while too much of the answer, or of all answers, is unsent."""
        if self._replaced:
            return
        self._begun = True
        size = len(message.get("body", b""))
        while self._kept and not self._has_room(size) and not self._sender.done():
            self._left.clear()
            await self._left.wait()
        self._kept += size
        self._store.kept += size
        self._queue.put_nowait(message)

    def instead(self, headers: Mapping[str, str], content: bytes) -> None:
        """Send this answer, 503, and none of the application's, unless that has begun."""
        if not self._begun:
            self._replaced = True
            for message in answer_messages(HTTPStatus.SERVICE_UNAVAILABLE, headers, content):
                self._queue.put_nowait(message)
            self._queue.put_nowait(None)

    def _has_room(self, size: int) -> bool:
        return self._kept + size <= self._bounds.answer_bytes and self._store.has_room(size)

    async def finish(self) -> None:
        """Return when all is sent, or the client was too slow: the server then ends the connection."""
        self._queue.put_nowait(None)
        try:
            with suppress(TimeoutError):
                await self._sender
        finally:
            self._sender.cancel()
            self._store.kept -= self._kept
            self._kept = 0

    async def _sending(self) -> None:
        spent, sent = 0.0, 0
        clock = asyncio.get_running_loop().time
        try:
            while (message := await self._queue.get()) is not None:
                began, size = clock(), len(message.get("body", b""))
                async with asyncio.timeout(
                    self._bounds.send_seconds + sent / self._bounds.least_rate - spent
                ):
                    await self._send(message)
                spent, sent = spent + clock() - began, sent + size
                if not self._replaced:
                    self._kept -= size
                    self._store.kept -= size
                self._left.set()
        finally:
            self._scope.setdefault("state", {})[GONE] = True
            self._left.set()


async def answer(send: Send, status: HTTPStatus, headers: Mapping[str, str], content: bytes) -> None:
    """Send a whole answer."""
    for message in answer_messages(status, headers, content):
        await send(message)


def answer_messages(
    status: HTTPStatus, headers: Mapping[str, str], content: bytes
) -> tuple[Message, Message]:
    """Return the messages of a whole answer."""
    given = {**headers, "Content-Length": str(len(content))}
    encoded = [(name.lower().encode(), value.encode()) for name, value in given.items()]
    return (
        {"type": "http.response.start", "status": int(status), "headers": encoded},
        {"type": "http.response.body", "body": content},
    )
