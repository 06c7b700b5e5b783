"""What one client can hold of a web process: bodies, threads and answers have limits."""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from celery import current_app
from django.db import OperationalError, connection

from league.ops import celery
from league.ops.asgi import Check, costly, queuer_to_log_in
from league.ops.asgi import _refusal as _refused
from league.ops.bounds import GONE, Bounded, Bounds, Message, Queuer, network
from league.ops.database.base import Connection, deadline
from league.ops.embedded import Broker
from league.ops.postgres import Postgres
from tests import patience

QUICK = Bounds(
    threads=1,
    body_seconds=0.2,
    body_bytes=1000,
    wait_seconds=0.2,
    refusal_seconds=0,
    waiting=2,
    send_seconds=0.2,
)


def _refusal(scope: Any, status: HTTPStatus) -> tuple[Mapping[str, str], bytes]:
    return {"Content-Type": "text/plain"}, scope["path"].encode()


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the body, part by part."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while (message := await receive()).get("more_body"):
        await send({"type": "http.response.body", "body": message["body"], "more_body": True})
    await send({"type": "http.response.body", "body": message["body"]})


class Client:
    """One request to an application, and what came back."""

    def __init__(self, *body: bytes, complete: bool = True, reads: bool = True, length: int = 0) -> None:
        self.scope: dict[str, Any] = {
            "type": "http",
            "path": "/",
            "headers": [(b"content-length", str(length).encode())],
            "state": {},
        }
        last = max(len(body) - 1, 0)
        self.parts = [
            {"type": "http.request", "body": part, "more_body": not complete or number < last}
            for number, part in enumerate(body or (b"",))
        ]
        self.reads = reads
        self.got: list[Message] = []
        self.answered = asyncio.Event()
        self.at = 0.0

    async def receive(self) -> Any:
        if not self.parts:
            await asyncio.Event().wait()
        return self.parts.pop(0)

    async def send(self, message: Message) -> None:
        if not self.reads:
            await asyncio.Event().wait()
        self.got.append(message)
        self.at = asyncio.get_running_loop().time()
        self.answered.set()

    @property
    def status(self) -> int:
        return int(self.got[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.got)


def _queuer(scope: Any) -> Queuer | None:
    known = dict(scope["headers"]).get(b"known")
    who = Queuer(known.decode(), known=True) if known else Queuer(network(scope.get("client", ("",))[0]))
    return who if scope["path"] == "/slow" else None


def _costly(scope: Any) -> str:
    return "print" if scope["path"].endswith(".pdf") else ""


def _served(*clients: Client, application: Any = _echo, bounds: Bounds = QUICK) -> Bounded:
    async def serve() -> Bounded:
        bounded = Bounded(application, _refusal, bounds, _queuer, _costly)
        async with asyncio.timeout(patience.SECONDS):
            await asyncio.gather(*(bounded(client.scope, client.receive, client.send) for client in clients))
        return bounded

    # A browser test may have left a running event loop in this thread.
    with ThreadPoolExecutor(1) as apart:
        bounded = apart.submit(asyncio.run, serve()).result()
    assert bounded._store.kept == 0
    return bounded


def test_a_complete_request_reaches_the_application() -> None:
    _served(client := Client(b"one ", b"two"))
    assert (client.status, client.body) == (200, b"one two")


def test_a_body_without_a_length_reaches_the_application_with_its_length() -> None:
    client, seen = Client(b"one ", b"two"), list[Any]()
    client.scope["headers"] = [(b"transfer-encoding", b"chunked")]

    async def look(scope: Any, receive: Any, send: Any) -> None:
        seen.append(dict(scope["headers"])[b"content-length"])
        await _echo(scope, receive, send)

    _served(client, application=look)
    assert (seen, client.body) == ([b"7"], b"one two")


def test_a_body_of_absurd_length_is_refused_soon() -> None:
    client = Client(b"x", complete=False, length=99_000_000_000)
    _served(client, bounds=replace(QUICK, body_seconds=patience.SECONDS))
    assert client.status == 413


def test_a_client_that_leaves_in_the_middle_of_a_body_is_forgotten() -> None:
    client = Client(b"half", complete=False)
    client.parts.append({"type": "http.disconnect"})
    _served(client)
    assert client.got == []


def test_a_body_that_does_not_come_takes_no_thread() -> None:
    slow, quick = Client(b"x", complete=False), Client(b"whole")
    _served(slow, quick)
    assert (slow.status, quick.status) == (408, 200)


@pytest.mark.parametrize(
    "client", [Client(length=1001), Client(*[b"x" * 100] * 11)], ids=["announced", "sent"]
)
def test_a_body_that_is_too_big_is_refused(client: Client) -> None:
    _served(client)
    assert client.status == 413


@pytest.mark.parametrize("length", [0, 1100])
def test_what_is_left_of_a_body_that_is_too_big_is_read_before_the_answer(length: int) -> None:
    client = Client(*[b"x" * 100] * 11, length=length)
    _served(client)
    assert (client.status, client.parts) == (413, [])


def test_of_a_body_without_an_end_only_so_much_is_read() -> None:
    client = Client(*[b"x" * 100] * 60, length=6000)
    _served(client)
    assert client.status == 413
    assert client.parts


def test_a_form_that_is_too_big_is_answered_with_a_page_that_says_how_big_it_may_be() -> None:
    scope = {"path": "/admin/x/", "headers": [(b"accept", b"text/html,*/*"), (b"accept-language", b"de")]}
    headers, content = _refused(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    page = content.decode()
    assert headers["Content-Type"].startswith("text/html")
    assert "8 MB" in page and 'href="/admin/x/"' in page and 'lang="de"' in page


def _holding(released: Callable[[], Awaitable[Any]]) -> Any:
    async def hold(scope: Any, receive: Any, send: Any) -> None:
        await released()
        await _echo(scope, receive, send)

    return hold


def test_requests_beyond_those_that_can_wait_are_told_to_come_again() -> None:
    clients = [Client(b"x") for _ in range(5)]
    refused = clients[-1].answered.wait
    _served(*clients, application=_holding(refused), bounds=replace(QUICK, wait_seconds=patience.SECONDS))
    assert sorted(client.status for client in clients) == [200, 200, 200, 503, 503]


def test_whoever_asks_again_at_once_is_refused_no_oftener_than_they_wait_for_it() -> None:
    clients = [Client(b"x") for _ in range(5)]
    began: list[float] = []

    async def released() -> None:
        began.append(asyncio.get_running_loop().time())
        await clients[-1].answered.wait()

    bounds = replace(QUICK, wait_seconds=patience.SECONDS, refusal_seconds=0.1)
    _served(*clients, application=_holding(released), bounds=bounds)
    assert min(client.at for client in clients if client.status == 503) >= began[0] + 0.1


def test_a_request_that_gets_no_thread_in_time_is_told_to_come_again() -> None:
    clients = [Client(b"x"), Client(b"x")]
    _served(*clients, application=_holding(clients[1].answered.wait))
    assert [client.status for client in clients] == [200, 503]


def test_a_client_that_does_not_read_holds_no_thread() -> None:
    deaf, quick = Client(b"x", reads=False), Client(b"y")
    _served(deaf, quick, bounds=Bounds(threads=1, send_seconds=0.4))
    assert (deaf.got, quick.status) == ([], 200)
    assert deaf.scope["state"][GONE]


SLOW = Bounds(threads=2, wait_seconds=patience.SECONDS, refusal_seconds=0)


def _slow(address: str) -> Client:
    client = Client(b"x")
    client.scope |= {"path": "/slow", "client": (address, 1)}
    return client


def test_slow_work_is_done_one_by_one_and_leaves_threads_to_others() -> None:
    at_work = [0]

    async def work(scope: Any, receive: Any, send: Any) -> None:
        at_work.append(at_work.pop() + (scope["path"] == "/slow"))
        assert at_work[0] <= 1
        await asyncio.sleep(0.01)
        at_work.append(at_work.pop() - (scope["path"] == "/slow"))
        await _echo(scope, receive, send)

    slow, quick = [_slow(f"192.0.2.{number}") for number in range(6)], [Client(b"x") for _ in range(6)]
    roomy = replace(SLOW, slow_waiting=4)
    _served(*slow, *quick, application=work, bounds=roomy)
    assert [client.status for client in quick] == [200] * 6
    assert sorted(client.status for client in slow) == [200] * 5 + [503]


def test_one_address_keeps_nobody_away_from_slow_work() -> None:
    greedy, other = [_slow("192.0.2.1") for _ in range(9)], _slow("192.0.2.2")
    holding = _holding(lambda: asyncio.sleep(0.01))
    roomy = replace(SLOW, slow_waiting=4, slow_of_one=2)
    _served(*greedy, other, application=holding, bounds=roomy)
    assert other.status == 200
    assert sorted(client.status for client in greedy) == [200] * 3 + [503] * 6


def test_a_few_addresses_keep_nobody_away_from_slow_work() -> None:
    greedy = [_slow(f"192.0.2.{number % 4}") for number in range(36)]
    others = [_slow("198.51.100.1"), _slow("198.51.100.2")]
    _served(*greedy, *others, application=_holding(lambda: asyncio.sleep(0.01)), bounds=SLOW)
    assert [client.status for client in others] == [200, 200]
    assert others[1].at < [client.at for client in greedy if client.status == 200][-5]


def test_a_known_device_goes_before_addresses_that_had_no_turn_yet() -> None:
    strangers, home = [_slow(f"192.0.2.{number}") for number in range(40)], _slow("198.51.100.1")
    home.scope["headers"] = [(b"known", b"a device")]
    _served(*strangers, home, application=_holding(lambda: asyncio.sleep(0.01)), bounds=SLOW)
    assert home.status == 200
    assert home.at <= sorted(client.at for client in strangers if client.status == 200)[1]


def test_a_network_of_ipv6_is_one_address_in_the_queue() -> None:
    greedy, other = [_slow(f"2001:db8:0:{number}::1") for number in range(40)], _slow("2001:db9::1")
    _served(*greedy, other, application=_holding(lambda: asyncio.sleep(0.01)), bounds=SLOW)
    assert other.status == 200
    assert sum(client.status == 200 for client in greedy) <= SLOW.slow_of_one + 1


def test_who_gives_up_waiting_leaves_the_queue_to_others() -> None:
    late, bounds = _slow("192.0.2.1"), replace(SLOW, wait_seconds=0.2, slow_waiting=4)
    _served(_slow("192.0.2.2"), late, application=_holding(lambda: asyncio.sleep(0.5)), bounds=bounds)
    assert late.status == 503
    _served(*(again := [_slow("192.0.2.1"), _slow("192.0.2.2")]))
    assert [client.status for client in again] == [200, 200]


# ---- Shares of the threads -----------------------------------------------------------------------


def _asked(address: str, path: str = "/", method: str = "GET") -> Client:
    client = Client(b"x")
    client.scope |= {"path": path, "client": (address, 1), "method": method}
    return client


def _most_at_once(*clients: Client) -> int:
    """Return how many of the requests had threads at once, of eight."""
    at_work = [0]
    seen: list[int] = []

    async def work(scope: Any, receive: Any, send: Any) -> None:
        at_work[0] += 1
        seen.append(at_work[0])
        await asyncio.sleep(0.01)
        at_work[0] -= 1
        await _echo(scope, receive, send)

    _served(*clients, application=work, bounds=Bounds())
    assert {client.status for client in clients} == {200}
    return max(seen)


def test_one_address_has_a_share_of_the_threads() -> None:
    assert _most_at_once(*(_asked("192.0.2.1") for _ in range(12))) == 3
    assert _most_at_once(*(_asked(f"2001:db8::{number:x}") for number in range(1, 13))) == 3
    assert _most_at_once(*(_asked(f"192.0.2.{number}") for number in range(12))) == 8


def test_costly_work_has_two_threads_and_one_address_has_one_of_them() -> None:
    assert _most_at_once(*(_asked("192.0.2.1", "/print.pdf") for _ in range(8))) == 1
    assert _most_at_once(*(_asked(f"192.0.2.{number}", "/print.pdf") for number in range(8))) == 2


def test_new_passwords_wait_for_each_other_and_not_for_log_ins_or_prints() -> None:
    for path in ("/invitations/x/y/", "/account/password/", "/account/forgotten/x/set-password/"):
        asked = _asked("192.0.2.1", path, "POST").scope
        assert (costly(asked), queuer_to_log_in(asked)) == ("password", None)
    assert costly(_asked("192.0.2.1", "/competitions/x/cross-table/").scope) == "print"
    assert costly(_asked("192.0.2.1", "/api/v1/games/").scope) == ""


def test_what_changes_something_goes_first_and_costly_work_last() -> None:
    order: list[str] = []

    async def work(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.01)
        order.append(scope["path"])
        await _echo(scope, receive, send)

    paths = {"/first": "GET", "/print.pdf": "GET", "/page": "GET", "/move": "POST"}
    clients = [_asked(f"192.0.2.{at}", path, method) for at, (path, method) in enumerate(paths.items())]
    _served(*clients, application=work, bounds=Bounds(threads=1))
    assert order == ["/first", "/move", "/page", "/print.pdf"]


def test_one_address_does_not_keep_others_out_of_the_queue() -> None:
    greedy, other = [_asked("192.0.2.1") for _ in range(9)], _asked("192.0.2.2")
    bounds = replace(QUICK, wait_seconds=patience.SECONDS, waiting=6, waiting_of_one=4)
    _served(*greedy, other, application=_holding(lambda: asyncio.sleep(0.01)), bounds=bounds)
    assert other.status == 200
    assert sorted(client.status for client in greedy) == [200] * 5 + [503] * 4


def test_more_bodies_than_a_process_keeps_are_refused() -> None:
    first, second = Client(b"x" * 600), Client(b"x" * 600)
    _served(first, second, bounds=Bounds(threads=2, kept_bytes=1000))
    assert sorted([first.status, second.status]) == [200, 503]


def test_an_answer_that_does_not_begin_is_given_up() -> None:
    stuck = Client(b"x")
    _served(stuck, application=_holding(stuck.answered.wait), bounds=Bounds(begin_seconds=0.1))
    assert (stuck.status, stuck.body) == (503, b"/")


def test_a_check_that_hangs_keeps_no_probe_waiting() -> None:
    released, calls = threading.Event(), list[int]()

    def look() -> str:
        calls.append(1)
        released.wait(patience.SECONDS)
        return "found"

    async def ask() -> list[object]:
        check = Check(look)
        early = [await check.found(0.05), await check.found(0.05)]
        released.set()
        return [*early, await check.found(patience.SECONDS)]

    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(asyncio.run, ask()).result() == [None, None, "found"]
    assert calls == [1]


@pytest.mark.django_db(transaction=True)
def test_a_deadline_ends_each_wait_for_the_database() -> None:
    taken = "SELECT pg_advisory_lock(1)"
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as holder:
        holder.execute(taken)
        connection.ensure_connection()
        with deadline(0.3), pytest.raises(OperationalError, match="did not answer"):
            connection.cursor().execute(taken)
        connection.close()  # as Django does at the end of a request


def _connected(site: str) -> socket.socket:
    address = urlsplit(site)
    return socket.create_connection((str(address.hostname), address.port or 80), timeout=patience.SECONDS)


@pytest.mark.parametrize(
    "half",
    [
        b"POST /api/v1/games/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
        b"GET / HTTP/1.1\r\nHost: loc",
    ],
    ids=["body", "headers"],
)
def test_forty_connections_that_send_half_a_request_do_not_stop_the_site(site: str, half: bytes) -> None:
    with ExitStack() as open_connections:
        for _ in range(40):
            open_connections.enter_context(connection := _connected(site))
            connection.sendall(half)
        for path in ("/healthz", "/account/login/"):
            assert httpx.get(site + path, timeout=18).status_code == 200
        assert "database" in httpx.get(f"{site}/readyz", timeout=patience.SECONDS).json()


def test_a_database_that_hangs_is_given_up(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_SECONDS", "1")
    server = Postgres(data, durable=False)
    server.start()
    try:
        with Connection.connect(server.url, autocommit=True) as connection:
            pid = connection.execute("SELECT pg_backend_pid()").fetchone()
            assert pid is not None
            os.kill(pid[0], signal.SIGSTOP)
            try:
                with pytest.raises(psycopg.OperationalError, match="did not answer in 1 seconds"):
                    connection.execute("SELECT 1")
            finally:
                os.kill(pid[0], signal.SIGCONT)
            assert connection.closed
    finally:
        server.stop()


def test_a_broker_that_hangs_keeps_nobody_waiting(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broker = Broker(data)
    broker.start()
    pid = broker.noted_pid()
    assert pid is not None
    monkeypatch.setitem(current_app.conf, "task_always_eager", False)
    monkeypatch.setitem(current_app.conf, "broker_url", broker.url)
    monkeypatch.setattr(current_app, "_pool", None)
    monkeypatch.setattr(current_app.amqp, "_producer_pool", None)
    try:
        celery.send(current_app.signature("league.tasks.sweep", retry=False))
        os.kill(pid, signal.SIGSTOP)
        for _ in range(20):
            celery.send(current_app.signature("league.tasks.sweep", retry=False))
        # Whoever had waited for each would have given up the last one, too.
        assert celery.sender()._unsent.unfinished_tasks
    finally:
        os.kill(pid, signal.SIGCONT)
        assert patience.all_are_sent()
        broker.stop()
