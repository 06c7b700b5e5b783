"""The connection over which PostgreSQL notifies a web process, on the channels that are watched there."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Set
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connections
from psycopg import AsyncConnection, Error, Notify, sql

RECONNECT_SECONDS: Final = 1.0
KEPT_SECONDS: Final = 60.0
"""For how long a channel is listened to that nobody watches any more: somebody often comes back."""
logger = logging.getLogger(__name__)


class Listener:
    """Listens to the channels that are watched, and to no others, so that only their news wake the process.

    ``hear`` is called with the channel and the message of each notification, ``begun`` with channels that
    are listened to from now on: of those there may have been notifications before.
    """

    def __init__(self, hear: Callable[[str, str], None], begun: Callable[[Set[str]], None]) -> None:
        self.channels: set[str] = set()
        """What is listened to now."""
        self._hear = hear
        self._begun = begun
        self._watched: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        self._task: asyncio.Task[None] | None = None
        self._connected = asyncio.Event()
        self._woken = asyncio.Event()

    def watch(self, channel: str) -> None:
        """Listen to a channel soon, until it is left as often."""
        self._watched[channel] += 1
        self._left.pop(channel, None)
        if channel not in self.channels:
            self._woken.set()

    def leave(self, channel: str) -> None:
        """Stop listening to a channel some time after the last one has left it."""
        self._watched[channel] -= 1
        if not self._watched[channel]:
            del self._watched[channel]
            self._left[channel] = monotonic()

    async def listen(self) -> None:
        """Return once there is a connection."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._keep_listening())
        await self._connected.wait()

    async def _keep_listening(self) -> None:
        while True:
            try:
                async with await AsyncConnection.connect(**_parameters(), autocommit=True) as connection:
                    await self._listen(connection)
            except Error:
                logger.warning("lost the connection for news; trying again", exc_info=True)
            self._connected.clear()
            self.channels.clear()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self, connection: AsyncConnection[Any]) -> None:
        """Follow what is watched, and call ``hear``, until the connection breaks."""
        connection.add_notify_handler(self._notified)
        while True:
            self._woken.clear()
            await self._follow(connection)
            self._connected.set()
            await self._until_woken(connection)
            connection.pgconn.consume_input()
            while told := connection.pgconn.notifies():
                self._hear(told.relname.decode(), told.extra.decode())

    def _notified(self, told: Notify) -> None:
        self._hear(told.channel, told.payload)

    async def _follow(self, connection: AsyncConnection[Any]) -> None:
        """Listen to the channels that are watched now, and not to those that were left long ago."""
        old = monotonic() - KEPT_SECONDS
        gone = {channel for channel, at in self._left.items() if at <= old} & self.channels
        new = self._watched.keys() - self.channels
        self._left = {channel: at for channel, at in self._left.items() if at > old}
        self.channels -= gone
        changes = [sql.SQL("UNLISTEN {}").format(sql.Identifier(each)) for each in sorted(gone)]
        changes += [sql.SQL("LISTEN {}").format(sql.Identifier(each)) for each in sorted(new)]
        if changes:
            await connection.execute(sql.SQL("; ").join(changes))
        self.channels |= new
        if new:
            self._begun(new)

    async def _until_woken(self, connection: AsyncConnection[Any]) -> None:
        """Return when there is something to read, when a channel is new, or when one was left long ago."""
        loop, socket = asyncio.get_running_loop(), connection.fileno()
        loop.add_reader(socket, self._woken.set)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(KEPT_SECONDS if self._left else None):
                    await self._woken.wait()
        finally:
            loop.remove_reader(socket)


def _parameters() -> dict[str, Any]:
    """Return Django's connection parameters without those that only Django uses."""
    given = connections[DEFAULT_DB_ALIAS].direct_parameters()  # type: ignore[attr-defined]  # of our own backend
    return {name: value for name, value in given.items() if name not in {"cursor_factory", "context"}}
