"""What idle listeners of streams weigh, and how long an event takes from its commit to many of them.

    python -m benchmarks.streams [--idle 1000] [--listeners 300] [--events 40]

It starts a throw-away PostgreSQL and two web processes, as `up` starts them. First it counts the resident
memory of the web processes before and after so many idle streams, of games, accounts and clubs. Then events
are committed one by one, and the time is taken until each of the listeners has read each of them. The
yardstick in the same run is a bare ASGI server that holds the same number of streams and does nothing else.
"""

import argparse
import asyncio
import logging
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import psutil

from benchmarks.machine import described, seconds_of, server
from benchmarks.moves import a_club, a_game, inside, moves, say
from league.ops.web import allow_connections

PROCESSES: Final = 2
PAUSE: Final = 0.25
WARM: Final = 100
AT_ONCE: Final = 20
OPEN_SECONDS: Final = 120
BARE: Final = "benchmarks.yardsticks.sse:application"


# ---- Listeners -----------------------------------------------------------------------------------


class Listeners:
    """Streams that are read in a thread of their own; ``arrived`` has the times at which an id was read."""

    def __init__(self) -> None:
        self.ready = 0
        self.arrived: dict[bytes, list[float]] = {}
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._tasks: list[Any] = []

    def open(self, port: int, path: str, token: str = "") -> None:
        """Open one more stream."""
        reading = self._read(port, path, token)
        self._tasks.append(asyncio.run_coroutine_threadsafe(reading, self._loop))

    async def _read(self, port: int, path: str, token: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        login = f"Authorization: Bearer {token}\r\n" if token else ""
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{login}\r\n".encode())
        assert b" 200 " in await reader.readline(), path
        while b"retry" not in await reader.readline():
            pass
        self.ready += 1
        try:
            async for line in reader:
                if line.startswith(b"id: "):
                    self.arrived.setdefault(line[4:].strip(), []).append(time.monotonic())
        finally:
            writer.close()

    def open_all(self, port: int, streams: Sequence[tuple[str, str]]) -> None:
        """Open streams by path and token, a few at a time; raise TimeoutError where one does not open."""
        for first in range(0, len(streams), AT_ONCE):
            batch = streams[first : first + AT_ONCE]
            for path, token in batch:
                self.open(port, path, token)
            until = time.monotonic() + OPEN_SECONDS
            while self.ready < first + len(batch):
                if time.monotonic() > until:
                    raise TimeoutError(f"{self.ready} of {len(streams)} streams are open")
                time.sleep(0.01)

    def close(self) -> None:
        """Close all streams."""
        for task in self._tasks:
            task.cancel()
        time.sleep(PAUSE)
        self._tasks, self.ready, self.arrived = [], 0, {}


# ---- Servers -------------------------------------------------------------------------------------


@contextmanager
def web() -> Iterator[tuple[Sequence[int], int]]:
    """Provide the web processes on one socket; yield their pids and the port."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening, ExitStack() as stack:
        command = [sys.executable, "-m", "league.ops.web", str(listening.fileno())]
        pids = [stack.enter_context(_process(command, listening.fileno())) for _ in range(PROCESSES)]
        yield pids, listening.getsockname()[1]


@contextmanager
def bare() -> Iterator[tuple[int, int]]:
    """Provide the yardstick; yield its pid and its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        fd = str(listening.fileno())
        command = [sys.executable, "-m", "uvicorn", BARE, "--fd", fd, "--log-level", "critical"]
        with _process(command, listening.fileno()) as pid:
            yield pid, listening.getsockname()[1]


@contextmanager
def _process(command: Sequence[str], inherited: int) -> Iterator[int]:
    process = subprocess.Popen(command, pass_fds=[inherited], stderr=subprocess.DEVNULL, env={**os.environ})
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def resident(pids: Sequence[int]) -> float:
    """Return the resident memory of processes in MB."""
    return sum(float(psutil.Process(pid).memory_info().rss) for pid in pids) / 2**20


# ---- Measuring -----------------------------------------------------------------------------------


def latency(
    name: str,
    listeners: Listeners,
    commits: Iterator[Callable[[], None]],
    asked: argparse.Namespace,
    pids: Sequence[int],
) -> None:
    """Print how long events take from their commit to each of the listeners, and what processes do for one.

    The first two events warm up. Processor time counts the commits, too, where a database is among the
    processes; other work on the machine lengthens it less than it does the time on the clock.
    """
    time.sleep(2)
    count, taken, before = asked.listeners, [], [0.0 for _pid in pids]
    for number in range(asked.events + 2):
        if number == 2:
            before = [seconds_of(pid) for pid in pids]
        listeners.arrived.clear()
        next(commits)()
        committed = time.monotonic()
        until = committed + 10
        while sum(map(len, listeners.arrived.values())) < count and time.monotonic() < until:
            time.sleep(0.002)
        arrived = [at for times in listeners.arrived.values() for at in times]
        assert len(arrived) >= count, f"{name}: {len(arrived)} of {count} have read the event"
        if number >= 2:
            taken += [(at - committed) * 1000 for at in arrived]
        time.sleep(PAUSE)
    taken.sort()
    p95 = taken[int(len(taken) * 0.95)]
    spent = [(seconds_of(pid) - was) / asked.events * 1000 for pid, was in zip(pids, before, strict=True)]
    work = " + ".join(f"{each:.1f}" for each in spent)
    say(
        f"  {name}: median {statistics.median(taken):.0f} ms, p95 {p95:.0f} ms, longest {taken[-1]:.0f} ms; "
        f"processor {work} ms an event"
    )


def weigh(
    pids: Sequence[int], port: int, listeners: Listeners, paths: Sequence[tuple[str, str]], count: int
) -> None:
    """Print the memory that idle streams add to the web processes."""
    streams = [paths[number % len(paths)] for number in range(count)]
    listeners.open_all(port, streams[:WARM])
    listeners.close()
    time.sleep(2)
    before = resident(pids)
    listeners.open_all(port, streams)
    time.sleep(20)  # more than one sign of life
    more = resident(pids) - before
    say(f"  {PROCESSES} web processes: {before:.0f} MB before, {more:.0f} MB more after")
    listeners.close()


def accounts(house: Any, count: int) -> list[tuple[Any, str]]:
    """Return so many accounts of the club, each with a token."""
    from league.models import Member
    from league.services.accounts import create_account, create_token

    made = []
    for number in range(count):
        account = create_account(username=f"listener-{number}")
        Member.objects.create(club=house[1], account=account, role="player")
        made.append((account.pk, create_token(by=account, name="benchmark", scopes=["read"]).secret))
    return made


def committing(requests: Iterator[Any]) -> Iterator[Callable[[], None]]:
    """Yield commits of one move each."""
    for request in requests:

        def commit(sent: Any = request) -> None:
            inside(sent, 201)

        yield commit


def telling(listening: Sequence[tuple[Any, str]]) -> Iterator[Callable[[], None]]:
    """Yield commits of one event for each of many accounts."""
    from django.db import transaction

    from league.services import account_events

    def commit() -> None:
        with transaction.atomic():
            account_events.write([pk for pk, _token in listening], "call", {})

    while True:
        yield commit


def posting(port: int) -> Iterator[Callable[[], None]]:
    """Yield events that are posted to the yardstick."""
    import httpx

    number = 0
    while True:
        number += 1
        address = f"http://127.0.0.1:{port}/?{number}"
        yield lambda address=address: httpx.post(address).raise_for_status()  # type: ignore[misc]


def main() -> None:
    """Measure and print."""
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reading.add_argument("--idle", type=int, default=1000)
    reading.add_argument("--listeners", type=int, default=300)
    reading.add_argument("--events", type=int, default=40)
    asked = reading.parse_args()
    allow_connections()
    say(described())
    listeners = Listeners()
    with server() as database:
        logging.disable(logging.INFO)
        house, players, tokens = a_club()
        listening = accounts(house, asked.listeners)
        games = [a_game(house, players, "scoops") for _ in range(50)]
        club = f"/api/v1/clubs/{house[1].slug}/stream/"
        paths = [
            *((f"/api/v1/games/{game.pk}/events/", "") for game in games),
            *(("/api/v1/me/events/", token) for _pk, token in listening[:50]),
            (club, ""),
        ]
        with web() as (pids, port):
            say(f"{asked.idle} idle streams of games, accounts and a club:")
            weigh(pids, port, listeners, paths, asked.idle)
            say(f"From commit to arrival, {asked.listeners} listeners, {asked.events} events:")
            queue = moves(house, players, tokens, "scoops", asked.events + 3)
            first = next(queue)
            watched = first.path.replace("/moves/", "/events/")
            one_game = (each for each in [first, *queue] if each.path == first.path)
            listeners.open_all(port, [(f"{watched}?after=1", "")] * asked.listeners)
            latency("one game", listeners, committing(one_game), asked, [*pids, database])
            listeners.close()
            # Its games are opened before anybody watches: here no service tells of them.
            more = list(moves(house, players, tokens, "scoops", asked.events + 3))
            listeners.open_all(port, [(club, "")] * asked.listeners)
            latency("one club", listeners, committing(iter(more)), asked, [*pids, database])
            listeners.close()
            listeners.open_all(port, [("/api/v1/me/events/", token) for _pk, token in listening])
            latency("as many accounts", listeners, telling(listening), asked, [*pids, database])
            listeners.close()
        with bare() as (pid, port):
            time.sleep(3)
            listeners.open_all(port, [("/", "")] * asked.listeners)
            latency("bare ASGI", listeners, posting(port), asked, [pid])


if __name__ == "__main__":
    main()
