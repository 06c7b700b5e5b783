"""The machine of a benchmark in one line, a yardstick, a throw-away server, and processor times."""

import json
import logging
import os
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import psutil

HASHED: Final = 1000
"""How many entries `hash_entries` hashes."""


def described() -> str:
    """Return what a reader must know about the machine, on one line."""
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{model}, {os.cpu_count()} cores, {memory:.0f} GB; {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}; load {os.getloadavg()[0]:.1f}"
    )


def hash_entries() -> None:
    """Do a piece of work that is always the same: write entries as canonical JSON and hash them."""
    for seq in range(HASHED):
        entry = {"seq": seq, "actor": {"seat": seq % 4}, "move": {"type": "discard", "card": "9C"}}
        sha256(json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def spent(do: Callable[[], object]) -> float:
    """Return the milliseconds of processor time of this process for a call."""
    before = time.process_time()
    do()
    return (time.process_time() - before) * 1000


@contextmanager
def server(settings: str = "league.ops.settings") -> Iterator[int]:
    """Provide a migrated throw-away PostgreSQL that writes to disk as the real one does; yield its pid."""
    with tempfile.TemporaryDirectory(prefix="trefoil-benchmark-") as folder:
        Path(folder).chmod(0o711)
        os.environ |= {"TREFOIL_DATA": folder, "DJANGO_SETTINGS_MODULE": settings, "LOG_LEVEL": "INFO"}
        import django
        from django.core.management import call_command

        from league.ops.postgres import Postgres, home

        postgres = Postgres(Path(folder))
        postgres.start()
        try:
            django.setup()
            call_command("migrate", verbosity=0)
            pid_file = home(Path(folder)) / "data" / "postmaster.pid"
            yield int(pid_file.read_text(encoding="utf-8").split()[0])
        finally:
            postgres.stop()


@contextmanager
def one_core(postmaster: int) -> Iterator[None]:
    """Let this process and the database share one core while a block is measured.

    A core that has nothing to do sleeps. To wake it for each answer of the database costs processor time that
    is counted with the request, the more so in a virtual machine. One core for both never sleeps in between.
    """
    found = psutil.Process(postmaster)
    both = [psutil.Process(), found, *found.children()]
    before = both[0].cpu_affinity()
    for process in both:
        process.cpu_affinity(before[:1])
    try:
        yield
    finally:
        for process in both:
            process.cpu_affinity(before)


def hush() -> None:
    """Let this process write the log to nowhere, as the web processes of benchmarks do."""
    import league.ops.asgi  # noqa: F401 -- configures the log once more

    nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 -- until the end
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(nowhere)


def seconds_of(pid: int) -> float:
    """Return the processor seconds of a process and of all its children, also of those that have ended."""
    process = psutil.Process(pid)
    return sum(map(_seconds, [process, *process.children(recursive=True)]))


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system + times.children_user + times.children_system
