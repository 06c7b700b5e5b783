"""How much slower a GET becomes while many guess passwords: the hashing of passwords is slow on purpose.

    python -m benchmarks.guessers [--guessers 32] [--rounds 7] [--requests 150]

It starts a throw-away PostgreSQL and two web processes on one socket, as `up` does, and guessers in a process
of their own. Each guess has a name and an address that no other has, so that none is refused for its pace. A
client looks at a game, by turns while the guessers are stopped and while they guess. A GET waits here, so the
clock on the wall is read; measuring in turns keeps what else the machine does out of the ratio.
"""

import argparse
import asyncio
import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from benchmarks.machine import described, server
from benchmarks.moves import a_club, a_game, say

WEB_PROCESSES: Final = 2
SETTLE: Final = 4.0
"""Seconds until the guesses that were under way are answered, or all guessers are at it again."""
_GUESS: Final = "guess"


# ---- The guessers, in a process of their own -----------------------------------------------------


async def _guess(port: int, number: int, answers: Counter[bytes]) -> None:
    body = "username={}&password=wrong&csrfmiddlewaretoken={}"
    made = 0
    while True:
        made += 1
        # Of 198.18.0.0/15, which is kept for benchmarks.
        address = f"198.18.{number}.{made % 250}"
        sent = body.format(f"name-{number}-{made}", "c" * 32).encode()
        head = (
            f"POST /account/login/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={'c' * 32}\r\n"
            f"X-Forwarded-For: {address}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(sent)}\r\nConnection: close\r\n\r\n"
        )
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head.encode() + sent)
            answer = await reader.read()
            answers[answer[9:12]] += 1
            writer.close()
        except OSError:
            await asyncio.sleep(0.1)


async def _guess_on(port: int, guessers: int) -> None:
    answers: Counter[bytes] = Counter()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    stop()
    tasks = [asyncio.create_task(_guess(port, number, answers)) for number in range(guessers)]
    await ended.wait()
    for task in tasks:
        task.cancel()
    assert {*answers} <= {b"200", b"429", b"503"}, answers
    counted = ", ".join(f"{status.decode()}: {count}" for status, count in sorted(answers.items()))
    say(f"  answers to the guesses: {counted}")


# ---- The client ----------------------------------------------------------------------------------


@contextmanager
def site() -> Iterator[int]:
    """Provide web processes on one socket, as `up` starts them; yield its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
        descriptor = listening.fileno()
        command = [sys.executable, "-m", "league.ops.web", str(descriptor)]
        started = [
            subprocess.Popen(command, pass_fds=[descriptor], stderr=subprocess.DEVNULL)
            for _ in range(WEB_PROCESSES)
        ]
        try:
            yield listening.getsockname()[1]
        finally:
            for process in started:
                process.terminate()
            for process in started:
                process.wait()


def stop() -> None:
    """Stop this process, until it is told to go on."""
    os.kill(os.getpid(), signal.SIGSTOP)


@contextmanager
def stopped(*command: str) -> Iterator[int]:
    """Provide a process of those who ask much, which has called `stop`; yield its pid."""
    process = subprocess.Popen(command)
    try:
        os.waitpid(process.pid, os.WUNTRACED)
        yield process.pid
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        assert process.wait() == 0


def waits(port: int, path: str, token: str, requests: int) -> list[float]:
    """Return how long each GET took, in milliseconds."""
    took = []
    for _ in range(requests):
        began = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == http.HTTPStatus.OK
        took.append((time.perf_counter() - began) * 1000)
    return took


def measure(guessers: int, rounds: int, requests: int) -> None:
    """Print what a GET takes without and with guessers, and the ratio."""
    house, players, tokens = a_club()
    path = f"/api/v1/games/{a_game(house, players, 'scoops').pk}/"
    found: dict[str, list[list[float]]] = {"alone": [], "guessed": []}
    with ExitStack() as stack:
        port = stack.enter_context(site())
        waits(port, path, tokens[0], requests)
        command = (sys.executable, "-m", "benchmarks.guessers", _GUESS, str(port), str(guessers))
        pid = stack.enter_context(stopped(*command))
        for _ in range(rounds):
            for name, sign in (("alone", signal.SIGSTOP), ("guessed", signal.SIGCONT)):
                os.kill(pid, sign)
                time.sleep(SETTLE)
                found[name].append(waits(port, path, tokens[0], requests))
    for name, took in found.items():
        every = sorted(each for part in took for each in part)
        say(
            f"  {name:8} median {statistics.median(every):.1f} ms, p95 {every[len(every) * 95 // 100]:.1f} ms"
        )
    ratios = [
        statistics.median(slow) / statistics.median(quick)
        for quick, slow in zip(found["alone"], found["guessed"], strict=True)
    ]
    say(f"  {guessers} guessers: {statistics.median(ratios):.2f} times ({min(ratios):.2f}-{max(ratios):.2f})")


def main() -> None:
    """Measure, and print what a reader must know."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--guessers", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=150)
    given = parser.parse_args()
    say(described())
    with server():
        measure(given.guessers, given.rounds, given.requests)


if __name__ == "__main__":
    if sys.argv[1:2] == [_GUESS]:
        asyncio.run(_guess_on(*map(int, sys.argv[2:4])))
    else:
        main()
