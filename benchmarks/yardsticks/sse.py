"""The least that a server of events can be: every POST is told to all who listen, in one process."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

_LISTENING: set[asyncio.Queue[bytes]] = set()


async def application(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    """Serve one request (ASGI): a stream, or an event for all streams, named by the query."""
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["method"] == "POST":
        for each in _LISTENING:
            each.put_nowait(b"id: %b\n\n" % scope["query_string"])
        await send({"type": "http.response.body"})
        return
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    _LISTENING.add(queue)
    await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
    while True:
        await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})
