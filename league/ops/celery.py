"""The Celery application, and messages to the workers, sent by a thread of their own: nobody waits for a
broker that hangs.

Work is found in the database; a message only makes that quicker, so one that can't be sent is dropped.
"""

import atexit
import logging
import os
import signal
import threading
import time
from functools import cache
from queue import Full, Queue
from typing import Any, Final, TypeAlias

from celery import Celery, Signature, current_app
from celery.signals import (
    celeryd_init,
    task_prerun,
    worker_before_create_process,
    worker_process_init,
    worker_ready,
)
from structlog.contextvars import bind_contextvars, clear_contextvars

from league.ops import processes
from league.ops.processes import signal_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")
# The tests run Django's checks, which would delay each start of worker and scheduler by two seconds.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
# Longer than any statement of a task; commands have no limit.
_DATABASE_SECONDS: Final = "120"

app = Celery("trefoil")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def _limit_statements(**_: Any) -> None:
    os.environ.setdefault("DATABASE_SECONDS", _DATABASE_SECONDS)


@worker_ready.connect
def _ready(**_: Any) -> None:
    signal_ready()


@worker_before_create_process.connect
def _share(**_: Any) -> None:
    processes.settle()


@task_prerun.connect
def _name_in_logs(task_id: str, task: Any, args: Any, **_: Any) -> None:
    """Name the task, and what it is about, in all lines of the log."""
    if not app.conf.task_always_eager:
        clear_contextvars()
        about = {"subject": str(args[0])} if args else {}
        bind_contextvars(task=task.name.rpartition(".")[2], task_id=task_id, **about)


@worker_process_init.connect
def _die_with_worker(**_: Any) -> None:
    # A killed worker can't stop its processes, and the broker delivers its tasks again.
    processes.die_with(os.getppid(), signal.SIGKILL)


# ---- Messages ------------------------------------------------------------------------------------

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


@cache
def sender() -> Sender:
    """Return the sender of this process."""
    made = Sender()
    atexit.register(made.leave)
    return made


os.register_at_fork(after_in_child=sender.cache_clear)  # a fork inherits no threads


def send(message: Message) -> None:
    """Send a message soon, without waiting for the broker."""
    if current_app.conf.task_always_eager:
        message.apply_async()
    else:
        sender().put(message)
