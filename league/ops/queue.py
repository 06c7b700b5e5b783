"""The queue of tasks: where it is, how long to wait for it, and which tasks are put there periodically.

Not only Django's settings read this, but also the timer, which imports nothing else.
"""

from datetime import timedelta
from typing import Any, Final

from league.ops import environment, folders
from league.ops.broker import Broker

PERIODS: Final = {"sweep": 15, "tidy": 3600}
"""After how many seconds each periodic task of `league.tasks` is due again. Each finds out what is due."""


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
