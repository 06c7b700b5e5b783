"""How much slower a GET becomes while many guess passwords: the hashing of passwords is slow on purpose.

    python -m benchmarks.guessers [--guessers 32] [--rounds 7] [--requests 150] [--addresses 4]

It starts a throw-away PostgreSQL and two web processes on one socket, as `up` does, and guessers in a process
of their own. Each guess has a name and an address that no other has, so that none is refused for its pace. A
client looks at a game, by turns while the guessers are stopped and while they guess. A GET waits here, so the
clock on the wall is read; measuring in turns keeps what else the machine does out of the ratio. With
``--addresses`` the guessers have so many, and new names, and somebody logs in meanwhile with the right
password, on a device that has done so before.
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
from urllib.parse import urlencode

from benchmarks.machine import described, server
from benchmarks.moves import a_club, a_game, say

WEB_PROCESSES: Final = 2
SETTLE: Final = 4.0
"""Seconds until the guesses that were under way are answered, or all guessers are at it again."""
LOG_INS: Final = 10
_NAME: Final = "at-home"
_PASSWORD: Final = "a password that nobody guesses"
_GUESS: Final = "guess"


# ---- The guessers, in a process of their own -----------------------------------------------------


async def _guess(port: int, number: int, addresses: int, answers: Counter[bytes]) -> None:
    body = "username={}&password=wrong&csrfmiddlewaretoken={}"
    made = 0
    while True:
        made += 1
        # Of 198.18.0.0/15, which is kept for benchmarks.
        address = f"198.18.{number}.{made % 250}" if not addresses else f"198.18.0.{1 + number % addresses}"
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


async def _guess_on(port: int, guessers: int, addresses: int) -> None:
    answers: Counter[bytes] = Counter()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    stop()
    tasks = [asyncio.create_task(_guess(port, number, addresses, answers)) for number in range(guessers)]
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


def _known_device() -> str:
    """Return the cookie of a device on which an account has logged in."""
    from league.requests import device_cookie
    from league.services.accounts import create_account
    from league.services.log_ins import Place, note_log_in

    account = create_account(username=_NAME, password=_PASSWORD)
    note_log_in(by=account, place=Place("198.18.9.9", _NAME))
    return device_cookie(_NAME)


def _log_in(port: int, device: str) -> float | None:
    """Return the milliseconds of a log-in, None where it is refused."""
    began, token = time.perf_counter(), "c" * 32
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {
        "Cookie": f"csrftoken={token}; trefoil_device={device}",
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": "198.18.9.9",
    }
    fields = {"username": _NAME, "password": _PASSWORD, "csrfmiddlewaretoken": token}
    connection.request("POST", "/account/login/", urlencode(fields), headers)
    status = connection.getresponse().status
    connection.close()
    return (time.perf_counter() - began) * 1000 if status == http.HTTPStatus.FOUND else None


def measure(guessers: int, rounds: int, requests: int, addresses: int) -> None:
    """Print what a GET takes without and with guessers, and the ratio."""
    house, players, tokens = a_club()
    path = f"/api/v1/games/{a_game(house, players, 'scoops').pk}/"
    found: dict[str, list[list[float]]] = {"alone": [], "guessed": []}
    logged_in: list[float | None] = []
    device = _known_device() if addresses else ""
    with ExitStack() as stack:
        port = stack.enter_context(site())
        waits(port, path, tokens[0], requests)
        command = (
            sys.executable,
            "-m",
            "benchmarks.guessers",
            _GUESS,
            str(port),
            str(guessers),
            str(addresses),
        )
        pid = stack.enter_context(stopped(*command))
        for _ in range(rounds):
            for name, sign in (("alone", signal.SIGSTOP), ("guessed", signal.SIGCONT)):
                os.kill(pid, sign)
                time.sleep(SETTLE)
                found[name].append(waits(port, path, tokens[0], requests))
                if device and name == "guessed":
                    logged_in += [_log_in(port, device) for _ in range(LOG_INS)]
    for name, took in found.items():
        every = sorted(each for part in took for each in part)
        say(
            f"  {name:8} median {statistics.median(every):.1f} ms, p95 {every[len(every) * 95 // 100]:.1f} ms"
        )
    if done := sorted(each for each in logged_in if each is not None):
        say(
            f"  {len(done)} of {len(logged_in)} log-ins meanwhile, median {statistics.median(done):.0f} ms, "
            f"longest {done[-1]:.0f} ms"
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
    parser.add_argument("--addresses", type=int, default=0)
    given = parser.parse_args()
    say(described())
    with server():
        measure(given.guessers, given.rounds, given.requests, given.addresses)


if __name__ == "__main__":
    if sys.argv[1:2] == [_GUESS]:
        asyncio.run(_guess_on(*map(int, sys.argv[2:5])))
    else:
        main()
