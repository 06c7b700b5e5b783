"""How long tests wait for what takes a busy machine long; each wait ends as soon as it has happened."""

import os
from typing import Final

from league.ops import celery, processes

SECONDS: Final = 300


def all_are_sent() -> bool:
    """Wait until this process has no message on its way to a broker; return whether it has none."""
    sender = celery._senders.get(os.getpid())
    return sender is None or processes.eventually(lambda: not sender._unsent.unfinished_tasks, SECONDS)
