"""How much memory the embedded set takes: ``python -m benchmarks.memory [--players 8] [--rounds 2]``.

It starts ``manage.py up`` with a data folder of its own, lets bots play a league over HTTP, asks for pages,
and prints what each process holds a minute later: its proportional set size, in which a page of memory that n
processes share counts 1/n for each, so that the sum is what the set takes.
"""

import argparse
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from benchmarks.machine import described

MANAGE: Final = [sys.executable, str(Path(__file__).parents[1] / "manage.py")]
PAGES: Final = ("/", "/rules/", "/account/login/", "/api/v1/competitions/", "/api/v1/schema/")
ASKED: Final = 20
"""How often each page is asked for."""
REST: Final = 65
"""Seconds after which processes have ended that made a file, or the API's schema."""
NAMES: Final = (
    ("league.ops.web", "web process"),
    ("league.ops.off", "makers of files"),
    ("league.ops.worker", "worker"),
    ("postgres", "PostgreSQL"),
    ("valkey", "broker"),
    ("redis", "broker"),
)


@contextmanager
def service(folder: str) -> Iterator[tuple[psutil.Process, int]]:
    """Run the embedded set; yield its supervisor and its port."""
    environment = {**os.environ, "TREFOIL_DATA": folder, "TREFOIL_VENV": sys.prefix}
    output = Path(folder, "up.log")
    with output.open("w") as log:
        up = psutil.Popen([*MANAGE, "up", "--port", "0"], env=environment, stdout=log, stderr=log)
    try:
        while (found := re.search(r"READY .*:(\d+)/", output.read_text())) is None:
            assert up.poll() is None, output.read_text()
            time.sleep(0.5)
        yield up, int(found[1])
    finally:
        up.terminate()
        up.wait()


def load(folder: str, port: int, players: int, rounds: int) -> None:
    """Let bots play a league, and ask for pages."""
    environment = {**os.environ, "TREFOIL_DATA": folder, "TREFOIL_VENV": sys.prefix}
    league = ["--players", str(players), "--rounds", str(rounds), "--processes", "2"]
    subprocess.run(
        [*MANAGE, "demo", "--url", f"http://127.0.0.1:{port}", *league],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for _ in range(ASKED):
        for page in PAGES:
            connection.request("GET", page)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == http.HTTPStatus.OK, (page, answer.status)


def held(supervisor: psutil.Process) -> dict[str, list[float]]:
    """Return the MB of the processes of each kind."""
    found: dict[str, list[float]] = {"supervisor": [megabytes(supervisor)]}
    for process in supervisor.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # a server of PostgreSQL for a while
            command = " ".join(process.cmdline())
            kind = next((name for part, name in NAMES if part in command), command)
            found.setdefault(kind, []).append(megabytes(process))
    return found


def megabytes(process: psutil.Process) -> float:
    """Return the proportional set size of a process in MB."""
    return float(process.memory_full_info().pss) / 2**20


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trefoil-benchmark-") as folder:
        Path(folder).chmod(0o711)
        with service(folder) as (supervisor, port):
            load(folder, port, asked.players, asked.rounds)
            time.sleep(REST)
            found = held(supervisor)
    sys.stdout.write(f"{described()}\n")
    for kind, sizes in found.items():
        each = " + ".join(f"{size:.0f}" for size in sorted(sizes, reverse=True))
        sys.stdout.write(f"{kind:>12} {sum(sizes):6.0f} MB  {each}\n")
    sys.stdout.write(f"{'all':>12} {sum(map(sum, found.values())):6.0f} MB\n")


if __name__ == "__main__":
    main()
