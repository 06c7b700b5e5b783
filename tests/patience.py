"""How long tests wait for what takes a busy machine long; each wait ends as soon as it has happened."""

from typing import Final

from league.ops import celery, processes

SECONDS: Final = 300


def all_are_sent() -> bool:
    """Wait until this process has no message on its way to a broker; return whether it has none."""
    unsent = celery.sender()._unsent
    return processes.eventually(lambda: not unsent.unfinished_tasks, SECONDS)
