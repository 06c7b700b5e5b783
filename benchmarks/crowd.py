"""How much slower a move becomes while one address asks for what is costly to make.

    python -m benchmarks.crowd [--entries 500] [--connections 20] [--rounds 9] [--moves 60]

It starts a throw-away PostgreSQL and two web processes on one socket, as `up` does, and a crowd in a process
of its own: so many connections, all from one address and without an account, which ask without a pause for
prints, calendars, lists, cross tables and charts of a competition of so many entries. They send a cookie, so
that no page of the site is kept for them, and ask in two languages. Moves are made, by turns while the crowd
is stopped and while it asks. A move waits here, so the clock on the wall is read; measuring in turns keeps
what else the machine does out of the ratio. The crowd itself has the lowest priority: it would be elsewhere.
"""

import argparse
import asyncio
import http.client
import os
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Final
from unittest.mock import patch

from benchmarks.guessers import SETTLE, site, stop, stopped
from benchmarks.machine import described, server
from benchmarks.moves import Sent, a_club, moves, say, sent

ADDRESS: Final = "198.18.0.1"
"""One of those that are kept for benchmarks."""
GOAL: Final = 3
_CROWD: Final = "crowd"
_PLAN: Final = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 4}
_PRINTS: Final = ("pairings", "names", "cards", "sheets", "standings")
_PLAYING: Final = 10
"""How many tables have no result."""


# ---- The crowd, in a process of its own ----------------------------------------------------------


async def _ask(port: int, first: int, paths: Sequence[str], answers: Counter[bytes]) -> None:
    for number in count(first):
        language = ("en", "de")[number // len(paths) % 2]
        head = (
            f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {ADDRESS}\r\n"
            f"Cookie: a=b\r\nAccept-Language: {language}\r\nConnection: close\r\n\r\n"
        )
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head.encode())
            answers[(await reader.read())[9:12]] += 1
            writer.close()
        except OSError:
            await asyncio.sleep(0.1)


async def _ask_on(port: int, connections: int, paths: Sequence[str]) -> None:
    os.nice(19)
    answers: Counter[bytes] = Counter()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    stop()
    tasks = [asyncio.create_task(_ask(port, number, paths, answers)) for number in range(connections)]
    await ended.wait()
    for task in tasks:
        task.cancel()
    # The server leaves who is stopped for long in the middle of an answer.
    assert {*answers} <= {b"", b"200", b"503"}, answers
    counted = ", ".join(f"{answers[status]} {status.decode()}" for status in sorted(answers) if status)
    say(f"  answers to the crowd: {counted}")


# ---- Who plays -----------------------------------------------------------------------------------


def a_competition(house: Any, entries: int) -> Any:
    """Return a competition of so many entries with a published round, most of whose tables have a result."""
    from benchmarks.standings import decide_table, entered, tables_to_play
    from league.core.verbs.draw import DrawRound
    from league.core.verbs.rounds import PublishRound
    from league.core.verbs.start import StartCompetition
    from league.models import Player
    from league.projections.standings import compute_standings
    from league.services.competitions import open_competition
    from tests.league.acting import act

    by, club = house
    players = Player.objects.bulk_create(Player(club=club, name=f"Entry {n}") for n in range(entries))
    competition = open_competition(
        by=by, club=club, name="Big", ruleset="scamper", options={}, stages=[_PLAN]
    )
    entered(by, competition, players)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(by, competition, verb)
    for table in tables_to_play(competition)[_PLAYING:]:
        decide_table(by, competition, table, scores=range(4))
    compute_standings(competition.pk)
    return competition


def paths_of(competition: Any) -> list[str]:
    """Return the addresses of what is costly to make of a competition."""
    page, below = f"/competitions/{competition.slug}/", f"/api/v1/competitions/{competition.pk}/"
    prints = [f"{page}print/{kind}.pdf" for kind in _PRINTS]
    lists = ("calendar.ics", "cross-table/", "standings.csv", "results.csv")
    return [*prints, f"{page}cross-table/", f"{page}charts/", *(below + name for name in lists)]


@dataclass(frozen=True)
class Found:
    """How long moves took, in milliseconds: alone, and while the crowd asked."""

    alone: Sequence[float]
    crowded: Sequence[float]

    @property
    def ratio(self) -> float:
        """Return how many times longer the median is in the crowd."""
        return statistics.median(self.crowded) / statistics.median(self.alone)


def measured(
    port: int,
    queue: Iterator[Sent],
    paths: Sequence[str],
    connections: int,
    number: int,
    settle: Callable[[bool], object],
) -> Generator[Found, None, None]:
    """Yield what is found in one round after the other, each with so many moves alone and in the crowd.

    ``settle`` returns when the crowd asks, or no more.
    """
    command = (sys.executable, "-m", "benchmarks.crowd", _CROWD, str(port), str(connections), *paths)
    with stopped(*command) as pid:
        while True:
            found = []
            for asks in (False, True):
                os.kill(pid, signal.SIGCONT if asks else signal.SIGSTOP)
                settle(asks)
                found.append([_took(port, request) for request in islice(queue, number)])
            yield Found(*found)


def _took(port: int, request: Sent) -> float:
    """Return the milliseconds of a move on a connection of its own."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    sent(connection, request)
    connection.close()
    return (time.perf_counter() - began) * 1000


def measure(entries: int, connections: int, rounds: int, number: int) -> None:
    """Print what a move takes alone and in the crowd, and the ratio."""
    house, players, tokens = a_club()
    paths = paths_of(a_competition(house, entries))
    queue = moves(house, players, tokens, "scoops", (2 * rounds + 1) * number)
    with site() as port:
        for request in islice(queue, number):  # warms up
            _took(port, request)
        each_round = measured(port, queue, paths, connections, number, lambda _asks: time.sleep(SETTLE))
        with closing(each_round) as parts:
            found = [*islice(parts, rounds)]
    for name in ("alone", "crowded"):
        every = sorted(each for part in found for each in getattr(part, name))
        middle, p95 = statistics.median(every), every[len(every) * 95 // 100]
        say(f"  {name:8} median {middle:.1f} ms, p95 {p95:.1f} ms, longest {every[-1]:.0f} ms")
    ratios = [each.ratio for each in found]
    median = statistics.median(ratios)
    say(f"  {connections} connections: {median:.2f} times ({min(ratios):.2f}-{max(ratios):.2f}); goal {GOAL}")


def main() -> None:
    """Measure, and print what a reader must know."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--moves", type=int, default=60)
    given = parser.parse_args()
    say(described())
    with server(), patch("league.ops.celery.send"):  # there is no broker
        measure(given.entries, given.connections, given.rounds, given.moves)


if __name__ == "__main__":
    if sys.argv[1:2] == [_CROWD]:
        asyncio.run(_ask_on(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
    else:
        main()
