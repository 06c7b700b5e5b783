"""Messages to the workers, sent by a thread of their own: nobody waits for a broker that hangs.

A message only makes work quicker that a sweep finds anyway, so one that can't be sent is dropped.
"""

import atexit
import logging
import os
import threading
import time
from queue import Full, Queue
from typing import Any, Final, TypeAlias

from celery import Signature, current_app

Message: TypeAlias = "Signature[Any]"
_MOST: Final = 1000
_LEAVING_SECONDS: Final = 2
logger = logging.getLogger(__name__)


class Sender:
    """Sends messages one after another, in the order in which they were given."""

    def __init__(self) -> None:
        self._unsent: Queue[Message] = Queue(_MOST)
        threading.Thread(target=self._send_all, name="messages", daemon=True).start()

    def put(self, message: Message) -> None:
        """Send a message soon; drop it where too many wait already."""
        try:
            self._unsent.put_nowait(message)
        except Full:
            logger.warning("too many messages wait for the broker; one is dropped")

    def leave(self) -> None:
        """Give messages a moment to be sent before the process ends."""
        end = time.monotonic() + _LEAVING_SECONDS
        while self._unsent.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.01)

    def _send_all(self) -> None:
        while True:
            message = self._unsent.get()
            try:
                message.apply_async()
            except Exception:  # kombu raises what its transports raise
                logger.warning("a message could not be sent to the broker", exc_info=True)
            finally:
                self._unsent.task_done()


_senders: dict[int, Sender] = {}
"""The sender of this process: a fork inherits no threads."""


def send(message: Message) -> None:
    """Send a message soon, without waiting for the broker."""
    if current_app.conf.task_always_eager:
        message.apply_async()
        return
    pid = os.getpid()
    if pid not in _senders:
        _senders.clear()
        _senders[pid] = Sender()
        atexit.register(_senders[pid].leave)
    _senders[pid].put(message)
