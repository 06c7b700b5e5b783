"""The queue of tasks, and the scheduler that asks for periodic ones: `python -m league.ops.queue`.

The scheduler knows neither Django nor the tasks, so that it takes a third of the memory of Celery's own.
"""

import sys
import time
from datetime import timedelta
from typing import Any, Final

from celery import Celery
from kombu.exceptions import OperationalError

from league.ops import environment, folders
from league.ops.embedded import Broker
from league.ops.processes import signal_ready

PERIODS: Final = {"sweep": 15, "tidy": 3600}
"""After how many seconds each periodic task of `league.tasks` is due again. Each finds out what is due."""
EVERY: Final = min(PERIODS.values())
"""After how many seconds all of them are asked for: the database knows which is due."""
_KEPT_SECONDS: Final = 2 * 86400
"""After that the queue drops a task. Long, for it is judged by the worker's clock, which may be wrong."""


def url() -> str:
    """Return the URL of the broker: that of CELERY_BROKER_URL, else of the embedded one."""
    return environment.broker(environment.text("CELERY_BROKER_URL") or Broker(folders.data_folder()).url)


def transport_options(url: str) -> dict[str, Any]:
    """Return Celery's options for the broker at a URL."""
    if "redis" not in url:
        return {"write_timeout": 5}
    return {
        # After this time Redis delivers an unacknowledged task again: longer than any task takes.
        "visibility_timeout": int(timedelta(minutes=10).total_seconds()),
        # A broker that is down or hangs is given up soon: the sweep replaces its messages.
        "socket_connect_timeout": 3,
        "socket_timeout": 5,
        "max_retries": 1,
        "interval_start": 0,
        "interval_step": 0.1,
    }


def ask(app: Celery) -> None:
    """Ask for the periodic tasks that are due."""
    for name in PERIODS:
        try:
            app.send_task("league.tasks.periodic", (name,), expires=_KEPT_SECONDS, retry=False)
        except OperationalError as error:
            sys.stdout.write(f"{name} could not be put into the queue: {error}\n")


def main() -> None:
    """Ask again and again until a signal ends the process."""
    broker = url()
    app = Celery(broker=broker, fixups=[])
    app.conf.broker_transport_options = transport_options(broker)
    signal_ready()
    while True:
        ask(app)
        time.sleep(EVERY)


if __name__ == "__main__":
    main()
