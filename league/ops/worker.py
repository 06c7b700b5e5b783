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
from league.ops.timer import send


class Scheduling(StartStopStep):
    """Puts each periodic task into the queue when the worker starts, and then after each of its periods."""

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def start(self, parent: Any) -> None:
        """Begin."""
        for name, period in queue.PERIODS.items():
            send(app, name)
            parent.timer.call_repeatedly(period, send, (app, name))


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
