"""Numbers for Prometheus: of all processes of this host, which share files, and of the database.

https://prometheus.github.io/client_python/multiprocess/
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.utils.crypto import constant_time_compare
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
REFUSALS: Final = Counter("trefoil_refusals", "Requests to the API that were refused, by code.", ["code"])
STREAMS: Final = Gauge(
    "trefoil_streams", "Clients that watch a game's events now.", multiprocess_mode="livesum"
)
BUSY: Final = Gauge("trefoil_threads_busy", "Threads that answer requests now.", multiprocess_mode="livesum")
QUEUED: Final = Gauge(
    "trefoil_requests_waiting", "Requests that wait for a thread now.", multiprocess_mode="livesum"
)
SHED: Final = Counter("trefoil_requests_shed", "Requests answered without a thread, by status.", ["status"])


@dataclass(frozen=True)
class Waiting:
    """What waits for a worker: how much, and the seconds since the oldest of it was due, by task."""

    count: Mapping[str, float]
    seconds: Mapping[str, float]


class _Database(Collector):
    """What is asked of the database at each scrape."""

    def __init__(self, waiting: Waiting | None) -> None:
        self._waiting = waiting

    def collect(self) -> Iterator[GaugeMetricFamily]:
        up = GaugeMetricFamily("trefoil_database_up", "Whether the database answered.")
        up.add_metric([], float(self._waiting is not None))
        yield up
        waiting = self._waiting or Waiting({}, {})
        yield _by_task("trefoil_waiting", "What waits for a worker now.", waiting.count)
        yield _by_task("trefoil_lag_seconds", "How long the oldest of it has waited.", waiting.seconds)


def _by_task(name: str, means: str, numbers: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, means, labels=["task"])
    for task, number in numbers.items():
        family.add_metric([task], number)
    return family


def exposition(waiting: Waiting | None) -> bytes:
    """Return all numbers as Prometheus reads them; ``waiting`` is None where the database did not answer."""
    registry = CollectorRegistry()
    registry.register(_Database(waiting))
    if folder := os.environ.get(VARIABLE):
        _forget_the_dead(Path(folder))
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)


def _forget_the_dead(folder: Path) -> None:
    """Remove what processes that have ended counted as current."""
    for file in folder.glob("gauge_live*.db"):
        with suppress(ValueError, FileNotFoundError):
            if not _runs(int(file.stem.rpartition("_")[2])):
                file.unlink()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def allowed(client: str | None, authorization: str, token: str) -> bool:
    """Return whether a caller may read the numbers: from this host, or with the settings' token."""
    if token:
        return constant_time_compare(authorization, f"Bearer {token}")
    return client in ("127.0.0.1", "::1")
