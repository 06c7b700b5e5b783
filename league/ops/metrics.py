"""Numbers for Prometheus: of all processes of this host, which share files, and of the database.

https://prometheus.github.io/client_python/multiprocess/
"""

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.utils.crypto import constant_time_compare
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, generate_latest, values
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
_BYTES: Final = 1 << 18
"""The size of a file of numbers, with room for all codes, so that none grows."""


class _Reserved(MmapedDict):
    """A mapped file whose memory is reserved: otherwise the kernel ends whoever counts where there is none.

    Where it can't be, a process counts for itself, and nobody reads that.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        memory = os.memfd_create("numbers")
        try:
            with Path(filename).open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, _BYTES)
        except OSError as error:
            Path(filename).unlink(missing_ok=True)
            _tell(os.getpid(), str(error.strerror))
            filename = f"/proc/self/fd/{memory}"
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]
        os.close(memory)


@lru_cache
def _tell(_process: int, why: str) -> None:
    """Say once in each process that its numbers are not shared."""
    logging.getLogger(__name__).warning("The numbers of a process are not in /metrics: %s", why)


if sys.platform == "linux":
    values.MmapedDict = _Reserved  # type: ignore[attr-defined]

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
