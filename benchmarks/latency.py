"""How evenly moves are answered: ``python -m benchmarks.latency [--clients 8] [--rounds 5]``.

Clients in a process of their own each play a game of their own over HTTP, as fast as they are answered, and,
in turns with that, send as many requests to a view with one bare INSERT. The clock on the wall counts here,
so that other work on the machine is in all figures; the bare view shows how much of it. Printed are the
median, the 99th percentile and how many medians that is.
"""

import argparse
import http.client
import multiprocessing
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from multiprocessing.connection import Connection
from statistics import median, quantiles
from typing import Final

from benchmarks.machine import described, server
from benchmarks.moves import SETTINGS, Sent, a_club, moves, sent, web, yardsticks

SUBJECTS: Final = ("ours", "bare")


def clients(asked: Connection, port: int, queues: Sequence[Sequence[Sent]], requests: int) -> None:
    """Send so many requests of each queue whenever that is asked for; answer with the seconds of each."""
    connections = [http.client.HTTPConnection("127.0.0.1", port) for _ in queues]

    def play(number: int) -> list[float]:
        connections[number].close()  # the server has, if it had to wait
        return [_seconds(connections[number], next(plans[number])) for _ in range(requests)]

    plans = [iter(queue) for queue in queues]
    with ThreadPoolExecutor(len(queues)) as threads:
        while asked.recv():
            asked.send([each for taken in threads.map(play, range(len(queues))) for each in taken])


def _seconds(connection: http.client.HTTPConnection, request: Sent) -> float:
    begun = time.perf_counter()
    sent(connection, request)
    return time.perf_counter() - begun


def measured(
    plans: Mapping[str, Sequence[Sequence[Sent]]], rounds: int, requests: int
) -> dict[str, list[float]]:
    """Return the seconds of all requests to each subject but those of the first round, which warms up."""
    seconds: dict[str, list[float]] = {subject: [] for subject in plans}
    with ExitStack() as stack:
        playing = {}
        for subject, queues in plans.items():
            _pid, port = stack.enter_context(web(subject))
            ours, theirs = multiprocessing.Pipe()
            process = multiprocessing.get_context("spawn").Process(
                target=clients, args=(theirs, port, queues, requests), daemon=True
            )
            process.start()
            stack.callback(process.terminate)
            playing[subject] = ours
        for number in range(-1, rounds):
            for subject, pipe in playing.items():
                pipe.send(True)
                taken = pipe.recv()
                if number >= 0:
                    seconds[subject] += taken
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=100)
    asked = parser.parse_args()
    each = (asked.rounds + 1) * asked.requests
    sys.stdout.write(f"{described()}\n")
    with server(SETTINGS):
        house, players, tokens = a_club()
        bare = yardsticks(each * asked.clients)[1]
        plans = {
            "ours": [list(moves(house, players, tokens, "scoops", each)) for _ in range(asked.clients)],
            "bare": [bare[number :: asked.clients] for number in range(asked.clients)],
        }
        taken = measured(plans, asked.rounds, asked.requests)
    for subject, seconds in taken.items():
        middle, late = median(seconds), quantiles(seconds, n=100)[98]
        sys.stdout.write(
            f"{subject:>6}: p50 {middle * 1000:.1f} ms, p99 {late * 1000:.1f} ms, {late / middle:.1f} times\n"
        )


if __name__ == "__main__":
    main()
