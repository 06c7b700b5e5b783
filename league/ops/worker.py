"""The worker: ``python -m league.ops.worker [--schedule] PROCESSES``.

It is Celery's own, without its command line, whose libraries for prompts would stay loaded in all parts. With
``--schedule`` its own loop puts periodic tasks into the queue, so that no other process has to.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from celery.bootsteps import StartStopStep

from league.ops import queue
from league.ops.celery import app


class Scheduling(StartStopStep):
    """Asks for periodic tasks when the worker starts, and then again and again."""

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def start(self, parent: Any) -> None:
        """Begin."""
        queue.ask(app)
        parent.timer.call_repeatedly(queue.EVERY, queue.ask, (app,))


def main(processes: int, *, schedule: bool) -> None:
    """Do tasks in so many processes until a signal ends this one."""
    if schedule:
        app.steps["worker"].add(Scheduling)
    # A single worker needs no messages to other workers.
    worker = app.Worker(concurrency=processes, quiet=True, without_gossip=True, without_mingle=True)
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    parser = ArgumentParser("league.ops.worker")
    parser.add_argument("processes", type=int)
    parser.add_argument("--schedule", action="store_true")
    given = parser.parse_args()
    main(given.processes, schedule=given.schedule)
