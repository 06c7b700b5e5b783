"""What a move over HTTP costs, against an idiomatic REST Framework view and a bare INSERT on the same server.

    python -m benchmarks.moves [--rounds 7] [--requests 200] [--profile]

It starts a throw-away PostgreSQL that writes to disk as the real one does, and three web processes: the site,
and each yardstick without the site's middleware (`benchmarks/yardsticks`). Requests go to the three in turns,
so that what else the machine does hits all of them alike, and only processor time is counted: of the web
process and of the database. Then, in one process, while no core sleeps: a game that is known, and one that
was never looked at. With ``--profile`` it prints what the parts of a move cost instead.
"""

import argparse
import http.client
import io
import json
import os
import socket
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from benchmarks import parts
from benchmarks.machine import HASHED, described, hash_entries, hush, one_core, seconds_of, server, spent

SUBJECTS: Final = ("ours", "idiomatic", "bare")
SEATS: Final = 4
OPTIONS: Final = {"round_limit": 100, "turn_limit": 60, "target": 10}
LONG: Final = (2000, 2099, 5000, 5099)
"""The lengths at which a long game is looked at: where a snapshot is, and farthest from one."""
LATEST: Final = 2099
"""Up to which entry earlier positions are asked for."""
COLD: Final = 15
"""How often a long game is looked at."""
TIMES: Final = 2000
"""How often a request is repeated that takes less than a millisecond."""
SETTINGS: Final = "benchmarks.yardsticks.settings"


@dataclass(frozen=True)
class Sent:
    """A request: path, headers, and the JSON of its body, None for GET."""

    path: str
    headers: Mapping[str, str]
    body: Any = None


# ---- Requests ------------------------------------------------------------------------------------


def a_club() -> tuple[Any, list[UUID], list[str]]:
    """Return an organiser, the ids of players, and a token for the account of each."""
    from league.models import Player
    from league.services.accounts import create_account, create_token
    from league.services.clubs import create_club

    organiser = create_account(username="organiser")
    club = create_club(by=organiser, name="Benchmark")
    players, tokens = [], []
    for number in range(SEATS):
        account = create_account(username=f"player-{number}")
        players.append(Player.objects.create(club=club, account=account, name=f"Player {number}").pk)
        tokens.append(create_token(by=account, name="benchmark", scopes=["read", "play"]).secret)
    return (organiser, club), players, tokens


def a_game(house: Any, players: Sequence[UUID], ruleset: str, options: object = None) -> Any:
    """Return a new game whose deals are known."""
    from games import log
    from league.models import ClubGame
    from league.queries.clubs import accounts_of
    from tests.rules.recording import SECRET

    organiser, club = house
    game = log.open_game(
        ruleset=ruleset,
        options=options or {},
        players=players,
        account=str(organiser.pk),
        secret=SECRET,
        accounts=[*map(accounts_of(players).get, players)],
    )
    ClubGame.objects.create(game=game, club=club)
    return game


def moves(
    house: Any, players: Sequence[UUID], tokens: Sequence[str], ruleset: str, count: int
) -> Iterator[Sent]:
    """Yield so many moves of bots, in one game after another."""
    from tests.rules.recording import Recorder

    played = Recorder(ruleset, SEATS)
    played.play(until=count + 1)
    while count:
        game = a_game(house, players, ruleset)
        # The last move of a game does more than a move.
        for entry in played.entries[1:-1][:count]:
            token = tokens[entry["seat"]]
            body = {"seq": entry["seq"], "move": entry["move"]}
            yield Sent(f"/api/v1/games/{game.pk}/moves/", {"Authorization": f"Bearer {token}"}, body)
            count -= 1


def yardsticks(count: int) -> tuple[list[Sent], list[Sent]]:
    """Return so many requests to either yardstick."""
    from django.db import connection
    from rest_framework.authtoken.models import Token

    from benchmarks.yardsticks.models import Entry, Match
    from league.services.accounts import create_account

    with connection.schema_editor() as editor:
        editor.create_model(Match)
        editor.create_model(Entry)
    account = create_account(username="yardstick")
    headers = {"Authorization": f"Token {Token.objects.create(user=account).key}"}
    move = {"type": "discard", "card": "9C"}
    idiomatic, bare = (Match.objects.create(name=name, player=account).pk for name in SUBJECTS[1:])
    bodies = [{"seq": seq, "move": move} for seq in range(1, count + 1)]
    return (
        [Sent(f"/idiomatic/{idiomatic}/", headers, body) for body in bodies],
        [Sent(f"/bare/{bare}/", {}, body) for body in bodies],
    )


# ---- Over HTTP -----------------------------------------------------------------------------------


@contextmanager
def web(subject: str) -> Iterator[tuple[int, int]]:
    """Provide a web process as `up` starts it; yield its pid and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        environment = {**os.environ, "SUBJECT": subject, "DJANGO_SETTINGS_MODULE": SETTINGS}
        command = [sys.executable, "-m", "league.ops.web", str(listening.fileno())]
        process = subprocess.Popen(
            command, env=environment, pass_fds=[listening.fileno()], stderr=subprocess.DEVNULL
        )
        try:
            yield process.pid, listening.getsockname()[1]
        finally:
            process.terminate()
            process.wait()


def sent(connection: http.client.HTTPConnection, request: Sent) -> None:
    """Send a request that must make something."""
    headers = {"Content-Type": "application/json", **request.headers}
    connection.request("POST", request.path, json.dumps(request.body), headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status == http.HTTPStatus.CREATED, content


def over_http(postmaster: int, queues: Mapping[str, Iterator[Sent]], rounds: int, requests: int) -> None:
    """Print what a request costs in web process and database, as medians over rounds, with the ratios."""
    measured: dict[str, list[tuple[float, float]]] = {subject: [] for subject in queues}
    with ExitStack() as stack:
        servers = {subject: stack.enter_context(web(subject)) for subject in queues}
        clients = {s: http.client.HTTPConnection("127.0.0.1", port) for s, (_, port) in servers.items()}
        for round_number in range(-1, rounds):
            for subject, (pid, _port) in servers.items():
                clients[subject].close()  # the server has, if it had to wait
                before = seconds_of(pid), seconds_of(postmaster)
                for _ in range(requests):
                    sent(clients[subject], next(queues[subject]))
                after = seconds_of(pid), seconds_of(postmaster)
                if round_number >= 0:  # the first round warms up
                    costs = [(then - now) / requests * 1000 for now, then in zip(before, after, strict=True)]
                    measured[subject].append((costs[0], costs[1]))
    whole = {subject: [sum(each) for each in pairs] for subject, pairs in measured.items()}
    for subject, pairs in measured.items():
        web_ms, database_ms = (statistics.median(part) for part in zip(*pairs, strict=True))
        ratios = ", ".join(
            f"{statistics.median(map(float.__truediv__, whole[subject], whole[other])):.2f} of {other}"
            for other in SUBJECTS[1:]
            if other != subject
        )
        say(f"  {subject:10} web {web_ms:.2f} + database {database_ms:.2f} ms; {ratios}")


# ---- In this process -----------------------------------------------------------------------------


def inside(request: Sent, status: int) -> tuple[Mapping[str, str], bytes]:
    """Return headers and content of the site's answer, in this process, which must have the status."""
    from league.ops.asgi import pages

    body = b"" if request.body is None else json.dumps(request.body).encode()
    path, _, query = request.path.partition("?")
    environ = {
        "REQUEST_METHOD": "GET" if request.body is None else "POST",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": "application/json" if body else "",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()},
    }
    began: list[Any] = []
    content = b"".join(pages(environ, lambda status, headers, *_: began.extend([status, headers])))
    assert began[0].startswith(str(status)), (request.path, began[0], content)
    return dict(began[1]), content


def counted(request: Sent) -> tuple[int, int]:
    """Return how many statements a request needs, and how many times it waits for the database."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from league.ops.database.base import Connection

    waits, wait = [0], Connection.wait

    def waited(self: Any, *args: Any, **options: Any) -> Any:
        waits[0] += 1
        return wait(self, *args, **options)

    Connection.wait = waited  # type: ignore[method-assign]
    try:
        with CaptureQueriesContext(connection) as queries:
            inside(request, 201)
    finally:
        Connection.wait = wait  # type: ignore[method-assign]
    return len(queries), waits[0]


def counts(queues: Mapping[str, Iterator[Sent]], warming: int = 20) -> None:
    """Print statements and round trips of a request to each subject, once all is known."""
    for subject, queue in queues.items():
        for _ in range(warming):
            inside(next(queue), 201)
        statements, trips = min(counted(next(queue)) for _ in range(5))
        say(f"  {subject:10} {statements} statements, {trips} round trips")


def looks(
    house: Any, players: Sequence[UUID], tokens: Sequence[str], lengths: Sequence[int], times: int
) -> None:
    """Print what it costs to look at a game that is known, and at a long one that is not, as it grows.

    A snapshot is at each hundredth entry, so that 99 entries are the most that are replayed.
    """
    headers = {"Authorization": f"Bearer {tokens[0]}"}
    queue = list(moves(house, players, tokens, "scoops", min(40, times)))
    for request in queue:
        inside(request, 201)
    known = Sent(queue[0].path.removesuffix("moves/"), headers)
    compared(known, "GET game, warm", times)
    tag = inside(known, 200)[0]["ETag"]
    compared(Sent(known.path, {**headers, "If-None-Match": tag}), "GET game, not modified", times, status=304)
    game = a_game(house, players, "scoops", OPTIONS)
    path = f"/api/v1/games/{game.pk}/"
    for length in lengths:
        grow(game.pk, length)
        grown(Sent(path, headers), length)
        compared(Sent(path, headers), f"first look at a cold game of {length} entries", COLD, cold=True)
        for seq in [each for each in lengths if each <= min(length, LATEST)]:
            compared(Sent(f"{path}at/{seq}/", headers), f"at/{seq}/ of a game of {length} entries", COLD)


def compared(request: Sent, name: str, times: int, *, status: int = 200, cold: bool = False) -> None:
    """Print what a request costs: the median of single ones, what one in ten was within, and a ratio.

    The ratio is to the yardstick `hash_entries`, in turns with it. The first tenth warms up. While others
    want the cores, the median has in it what they put out of the caches while this process waited for the
    database; the quickest tenth has not.
    """
    from games import log

    costs, hashed = list[float](), list[float]()
    warming = max(1, times // 10)
    every = max(1, times // 20)
    for number in range(warming + times):
        if cold:
            log._LATEST.cache_clear()
        costs.append(spent(lambda: inside(request, status)))
        if number % every == 0:
            hashed.append(spent(hash_entries))
    counted = sorted(costs[warming:])
    middle, tenth = statistics.median(counted), counted[len(counted) // 10]
    say(
        f"  {name}: {middle:.2f} ms, {middle / statistics.median(hashed):.2f} of {HASHED} hashed entries "
        f"(a tenth within {tenth:.2f} ms)"
    )


def grown(request: Sent, length: int) -> None:
    """Print how long the answer with a long game is, whole and without the rounds that a client has."""
    whole = inside(request, 200)[1]
    last = max((row["round"] for row in json.loads(whole)["view"]["sheet"]), default=0)
    known = inside(Sent(f"{request.path}?sheet_after={last}", request.headers), 200)[1]
    say(f"  answer of a game of {length} entries: {len(whole)} bytes, {len(known)} after its last round")


def grow(game: UUID, length: int) -> None:
    """Make moves until a game has that many entries."""
    from games import log
    from games.engine import replay
    from games.engine.replay import Actor
    from games.models import Game

    row = Game.objects.get(pk=game)
    position = log.latest(row)
    for seq in range(row.seq + 1, length + 1):
        seat = replay.awaited(position)[0]
        move = replay.write_move(position.ruleset, position.ruleset.default_move(position.state, seat))
        position = log.append(
            game_id=game, seq=seq, actor=Actor("seat", seat), move=move, account=None
        ).position


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure and print."""
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reading.add_argument("--rounds", type=int, default=7)
    reading.add_argument("--requests", type=int, default=200)
    reading.add_argument("--lengths", type=int, nargs="*", default=LONG)
    reading.add_argument("--profile", action="store_true", help="print the parts of a move instead")
    asked = reading.parse_args()
    say(described())
    with server(SETTINGS) as postmaster:
        hush()
        house, players, tokens = a_club()
        if asked.profile:
            plan = list(moves(house, players, tokens, "scoops", asked.rounds * asked.requests))
            with one_core(postmaster):
                parts.profile([(lambda each=each: inside(each, 201)) for each in plan])  # type: ignore[misc]
            return
        count = (asked.rounds + 1) * asked.requests + 50
        plans = {"ours": list(moves(house, players, tokens, "scoops", count))}
        plans["idiomatic"], plans["bare"] = yardsticks(count)
        queues = {subject: iter(plan) for subject, plan in plans.items()}
        say(f"A move over HTTP, processor time, median of {asked.rounds} rounds of {asked.requests}:")
        over_http(postmaster, queues, asked.rounds, asked.requests)
        say("Statements and round trips:")
        counts(queues)
        say("Looking at a game, processor time in process:")
        with one_core(postmaster):
            looks(house, players, tokens, asked.lengths, TIMES)


if __name__ == "__main__":
    main()
