"""The scheduler, which puts each periodic task into the queue when it is due: `python -m league.ops.timer`.

It knows neither Django nor the tasks, so that it takes a third of the memory of Celery's own scheduler. It
keeps no state: at its start every task is due.
"""

import sys
import time
from collections.abc import Iterator, Mapping
from typing import Final

from celery import Celery
from kombu.exceptions import OperationalError

from league.ops import queue
from league.ops.readiness import signal_ready

_KEPT_SECONDS: Final = 2 * 86400
"""After that the queue drops a task. Long, for it is judged by the worker's clock, which may be wrong."""


class Schedule:
    """When each of the tasks is due next; times are seconds of one clock."""

    def __init__(self, periods: Mapping[str, int], now: float) -> None:
        self._periods = periods
        self._due = dict.fromkeys(periods, now)

    def take(self, now: float) -> Iterator[str]:
        """Yield the names of the tasks that are due, each of which is due again a period later.

        Periods that have passed meanwhile, such as those in which the machine slept, are left out.
        """
        for name, period in self._periods.items():
            if self._due[name] <= now:
                on_time = self._due[name] + period
                self._due[name] = on_time if on_time > now else now + period
                yield name

    def wait(self, now: float) -> float:
        """Return after how many seconds a task is due."""
        return max(0.0, min(self._due.values()) - now)


def send(app: Celery, name: str) -> None:
    """Put a task into the queue; as each period is claimed in the database, one that waited does little."""
    try:
        app.send_task("league.tasks.periodic", (name,), expires=_KEPT_SECONDS, retry=False)
    except OperationalError as error:
        sys.stdout.write(f"{name} could not be put into the queue: {error}\n")


def main() -> None:
    """Run until a signal ends the process."""
    broker = queue.url()
    app = Celery(broker=broker, fixups=[])
    app.conf.broker_transport_options = queue.transport_options(broker)
    schedule = Schedule(queue.PERIODS, time.monotonic())
    signal_ready()
    while True:
        for name in schedule.take(time.monotonic()):
            send(app, name)
        time.sleep(schedule.wait(time.monotonic()))


if __name__ == "__main__":
    main()
