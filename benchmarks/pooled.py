"""What a move and a GET cost through PgBouncer in transaction mode, against the same past it.

    python -m benchmarks.pooled [--rounds 7] [--requests 200]

Two web processes of the site have one throw-away PostgreSQL: one connects to it, the other to a PgBouncer
before it, as `deploy/` has it. Requests go to the two in turns, and processor time is counted: of the web
process, of the database, and of the pooler.
"""

import argparse
import http.client
import json
import os
import statistics
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final
from unittest import mock

from benchmarks.machine import described, hush, seconds_of, server
from benchmarks.moves import SETTINGS, Sent, a_club, moves, say, web

WAYS: Final = ("direct", "PgBouncer")
PARTS: Final = ("web", "database", "pooler")


def sent(connection: http.client.HTTPConnection, request: Sent) -> None:
    """Send a request that must go well."""
    method = "GET" if request.body is None else "POST"
    headers = {"Content-Type": "application/json", **request.headers}
    connection.request(method, request.path, json.dumps(request.body), headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status in {http.HTTPStatus.OK, http.HTTPStatus.CREATED}, content


def compared(
    what: str,
    servers: Mapping[str, tuple[int, int]],
    shared: tuple[int, int],
    queues: Mapping[str, list[list[Sent]]],
) -> None:
    """Print what a request costs either way, as medians over rounds, and how many times the direct way."""
    clients = {way: http.client.HTTPConnection("127.0.0.1", port) for way, (_, port) in servers.items()}
    measured: dict[str, list[list[float]]] = {way: [] for way in servers}
    for number, parts in enumerate(zip(*(queues[way] for way in WAYS), strict=True)):
        for way, requests in zip(WAYS, parts, strict=True):
            pids = (servers[way][0], *shared)
            clients[way].close()  # the server has, if it had to wait
            before = [seconds_of(pid) for pid in pids]
            for request in requests:
                sent(clients[way], request)
            after = [seconds_of(pid) for pid in pids]
            if number:  # the first round warms up
                measured[way].append(
                    [(then - now) / len(requests) * 1000 for now, then in zip(before, after, strict=True)]
                )
    for way, costs in measured.items():
        medians = [statistics.median(part) for part in zip(*costs, strict=True)]
        told = " + ".join(f"{part} {cost:.2f}" for part, cost in zip(PARTS, medians, strict=True))
        times = statistics.median(
            sum(one) / sum(two) for one, two in zip(costs, measured["direct"], strict=True)
        )
        say(f"  {what}, {way}: {told} ms; {times:.2f} of direct")


def in_rounds(requests: Iterator[Sent], rounds: int, count: int) -> list[list[Sent]]:
    """Return requests in rounds, and one round more, which warms up."""
    return [[next(requests) for _ in range(count)] for _ in range(rounds + 1)]


def main() -> None:
    """Measure and print."""
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reading.add_argument("--rounds", type=int, default=7)
    reading.add_argument("--requests", type=int, default=200)
    asked = reading.parse_args()
    count = (asked.rounds + 1) * asked.requests
    say(described())
    with server(SETTINGS) as postmaster, ExitStack() as stack:
        from league.ops.postgres import Postgres
        from tests.ops import pgbouncer

        hush()
        house, players, tokens = a_club()
        data = Path(os.environ["TREFOIL_DATA"])
        pooler = stack.enter_context(pgbouncer.running(data))
        behind = {"DATABASE_URL": pooler.url, "DATABASE_DIRECT_URL": Postgres(data).url}
        plans = {way: [*moves(house, players, tokens, "scoops", count)] for way in WAYS}
        servers = {"direct": stack.enter_context(web("ours"))}
        with mock.patch.dict(os.environ, behind):
            servers["PgBouncer"] = stack.enter_context(web("ours"))
        say(f"Processor time of a request, median of {asked.rounds} rounds of {asked.requests}:")
        shared = postmaster, int(pooler.pid_file.read_text(encoding="utf-8"))
        queues = {way: in_rounds(iter(plan), asked.rounds, asked.requests) for way, plan in plans.items()}
        compared("a move", servers, shared, queues)
        looks = {
            way: [[Sent(each.path.removesuffix("moves/"), each.headers) for each in part] for part in parts]
            for way, parts in queues.items()
        }
        compared("GET game", servers, shared, looks)


if __name__ == "__main__":
    main()
