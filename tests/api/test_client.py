"""The Python client: retries, problems, pages and streams, sync and async; and bots that use it."""

import ast
import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from uuid import UUID

import httpx
import pytest

import api.client as client
from games.models import Game
from league.models import Account
from league.services.accounts import create_token
from tests import patience
from tests.api.live import streaming
from tests.api.test_generated_clients import people
from tests.factories import cast as a_cast

FOLDER = Path(client.__file__).parent
EXAMPLES = FOLDER / "examples"
FAST = client.Retries(first=0)
GAME: Any = {"id": "g", "seq": 3, "choices": [], "status": "active"}


class Server:
    """Answers a client with what it is given, in order, and remembers the requests."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.requests = [*answers], list[httpx.Request]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def run(self, kind: str, use: Callable[[Any], Any]) -> Any:
        """Return what a call of the client gives, of the sync or the async one."""
        transport = httpx.MockTransport(self)
        if kind == "sync":
            with client.Client("http://x/api/v1", "t", retries=FAST, transport=transport) as sync:
                got = use(sync)
                return [*got] if isinstance(got, Iterator) else got
        # In a thread of its own: a browser's tests leave an event loop running in this one.
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, self._awaited(transport, use)).result()

    async def _awaited(self, transport: Any, use: Callable[[Any], Any]) -> Any:
        async with client.AsyncClient("http://x/api/v1", "t", retries=FAST, transport=transport) as unblocked:
            got = use(unblocked)
            return [each async for each in got] if hasattr(got, "__aiter__") else await got


BOTH = pytest.mark.parametrize("kind", ["sync", "async"])


@BOTH
def test_a_move_is_sent_again_with_the_same_seq_until_it_is_answered(kind: str) -> None:
    server = Server(httpx.ConnectError("lost"), httpx.Response(503), {**GAME, "seq": 4})
    game = server.run(kind, lambda to: to.move(GAME, {"type": "draw"}))
    assert game["seq"] == 4
    assert {each.content for each in server.requests} == {b'{"seq":4,"move":{"type":"draw"}}'}
    assert len(server.requests) == 3 and server.requests[0].headers["authorization"] == "Bearer t"


def seen(seq: int, *rounds: int, **view: Any) -> Any:
    """Return a game whose sheet has the rows of these rounds."""
    return {**GAME, "seq": seq, "view": {**view, "sheet": [{"round": each} for each in rounds]}}


@BOTH
def test_rows_of_the_sheet_that_are_known_are_kept_and_not_sent_again(kind: str) -> None:
    server = Server(seen(4, 3), seen(5))
    game = server.run(kind, lambda to: to.move(seen(3, 1, 2), {"type": "draw"}))
    assert game == seen(4, 1, 2, 3)
    assert server.run(kind, lambda to: to.move(game, {"type": "draw"})) == seen(5, 1, 2, 3)
    assert [str(each.url.query, "ascii") for each in server.requests] == ["sheet_after=2", "sheet_after=3"]


@BOTH
def test_the_sheet_of_a_score_card_is_read_whole(kind: str) -> None:
    server = Server(seen(4, 1, 2, unconfirmed=[]))
    game = server.run(kind, lambda to: to.move(seen(3, 1, unconfirmed=[]), {"type": "correct"}))
    assert game == seen(4, 1, 2, unconfirmed=[])
    assert not server.requests[0].url.query


@BOTH
def test_turns_keep_the_sheet(kind: str) -> None:
    over = httpx.Response(200, text="event: over\ndata: {}\n\n")
    server = Server(seen(3, 1), over, {**seen(9, 2), "status": "finished"})
    server.run(kind, lambda to: to.turns("g"))
    assert [str(each.url.query, "ascii") for each in server.requests] == ["", "", "sheet_after=1"]


@BOTH
def test_what_is_made_has_one_key_for_all_its_requests(kind: str) -> None:
    server = Server(httpx.ReadError("lost"), httpx.Response(201, json=GAME), httpx.Response(201, json=GAME))
    for _ in range(2):
        server.run(kind, lambda to: to.open_game("first-club", "scoops", ["p", "q"]))
    keys = [each.headers["idempotency-key"] for each in server.requests]
    assert keys[0] == keys[1] != keys[2]


@BOTH
def test_a_verb_without_seq_is_not_sent_twice(kind: str) -> None:
    server = Server(httpx.ReadError("lost"))
    with pytest.raises(client.Unreachable):
        server.run(kind, lambda to: to.act("competitions/c/draw/"))
    assert len(server.requests) == 1


@BOTH
@pytest.mark.parametrize(("status", "kind_of"), [
    (400, client.Malformed), (401, client.NotLoggedIn), (403, client.NotAllowed), (404, client.NotFound),
    (409, client.Stale), (422, client.Illegal), (415, client.Problem),
])  # fmt: skip
def test_a_refusal_is_an_exception_of_its_kind(kind: str, status: int, kind_of: type[client.Problem]) -> None:
    document = {"code": "c", "detail": "No.", "seq": 19, "rule": "C9", "errors": {"seq": ["Wrong."]}}
    server = Server(httpx.Response(status, json=document))
    with pytest.raises(kind_of, match=r"^No\.$") as caught:
        server.run(kind, lambda to: to.move(GAME, {"type": "draw"}))
    refusal = caught.value
    assert (refusal.code, refusal.seq, refusal.rule, refusal.errors) == ("c", 19, "C9", {"seq": ["Wrong."]})


@BOTH
def test_a_request_waits_as_long_as_the_server_asks(kind: str) -> None:
    server = Server(httpx.Response(429, headers={"Retry-After": "0"}), GAME)
    assert server.run(kind, lambda to: to.game("g")) == GAME


@BOTH
def test_a_file_and_a_stream_wait_as_long_as_the_server_asks(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def pass_by(seconds: float) -> None:
        waited.append(seconds)

    # Only the client's own: the site's threads sleep in this process, too.
    monkeypatch.setattr("api.client.synchronous.time", SimpleNamespace(sleep=waited.append))
    monkeypatch.setattr("api.client.asynchronous.asyncio", SimpleNamespace(sleep=pass_by))
    busy, over = httpx.Response(429, headers={"Retry-After": "42"}), "event: over\ndata: {}\n\n"
    log = httpx.Response(200, text='{"seq": 1}\n')
    assert Server(busy, log).run(kind, lambda to: to.lines("games/g/log/"))
    assert Server(busy, httpx.Response(200, text=over)).run(kind, lambda to: to.events("g"))
    assert waited == [42, 42]


@BOTH
def test_a_list_is_read_page_by_page(kind: str) -> None:
    server = Server(
        {"results": [1, 2], "next": "http://x/api/v1/games/?page=2"}, {"results": [3], "next": None}
    )
    assert server.run(kind, lambda to: to.games(awaited="me")) == [1, 2, 3]
    assert [str(each.url.query, "ascii") for each in server.requests] == ["awaited=me", "page=2"]


@BOTH
def test_a_stream_goes_on_after_the_last_event_that_came(kind: str) -> None:
    first = 'retry: 0\n\n: still here\n\nid: 4\nevent: move\ndata: {"seq": 4}\n\nid: 5\nevent: move\n'
    second = 'id: 5\nevent: move\ndata: {"seq": 5}\n\nevent: over\ndata: {"status": "finished"}\n\n'
    server = Server(httpx.Response(200, text=first), httpx.Response(200, text=second))
    events = server.run(kind, lambda to: to.events("g", 3))
    assert [(each.event, each.id) for each in events] == [("move", "4"), ("move", "5"), ("over", "")]
    assert [each.headers["last-event-id"] for each in server.requests] == ["3", "4"]


@BOTH
def test_a_file_is_read_line_by_line_and_gone_on_with_after_the_last_one(kind: str) -> None:
    first, last = (f'{{"id": {each}, "cursor": "{each}"}}\n' for each in "12")
    lost = httpx.Response(200, stream=Lost([first.encode()]))
    server = Server(httpx.Response(503), lost, httpx.Response(200, text=last), httpx.Response(200, text=""))
    read = server.run(kind, lambda to: to.lines("clubs/c/games.ndjson", status="finished"))
    assert [each["id"] for each in read] == [1, 2]
    asked = [dict(each.url.params) for each in server.requests]
    assert asked == [{"status": "finished", **({"cursor": at} if at else {})} for at in ("", "", "1", "2")]


@BOTH
def test_a_log_is_read_once_and_whole(kind: str) -> None:
    server = Server(httpx.Response(200, text='{"seq": 1}\n{"seq": 2}\n'))
    assert server.run(kind, lambda to: to.lines("games/g/log/")) == [{"seq": 1}, {"seq": 2}]
    server = Server(httpx.Response(200, stream=Lost([b'{"seq": 1}\n'])))
    with pytest.raises(client.Unreachable, match="the end of games/g/log/ is missing"):
        server.run(kind, lambda to: to.lines("games/g/log/"))


@BOTH
def test_a_stream_that_is_refused_ends_and_one_of_a_busy_server_goes_on(kind: str) -> None:
    over = 'retry: 0\n\nevent: over\ndata: {"status": "finished"}\n\n'
    server = Server(httpx.Response(503), httpx.Response(429), httpx.Response(200, text=over))
    assert [each.event for each in server.run(kind, lambda to: to.events("g", 3))] == ["over"]
    with pytest.raises(client.NotFound):
        Server(httpx.Response(404, json={})).run(kind, lambda to: to.events("g", 3))


class Lost(httpx.SyncByteStream, httpx.AsyncByteStream):
    """An answer that breaks off."""

    def __init__(self, parts: list[bytes]) -> None:
        self.parts = parts

    def __iter__(self) -> Iterator[bytes]:
        yield from self.parts
        raise httpx.ReadError("lost")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


def test_the_client_needs_nothing_but_httpx_and_the_standard_library() -> None:
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [str(node.module)]
            assert not isinstance(node, ast.ImportFrom) or node.level < 2
            assert {name.split(".")[0] for name in names} <= {"httpx", *sys.stdlib_module_names}, path


class Awaited(ast.NodeTransformer):
    """Turns the async client into the one that waits."""

    NAMES: ClassVar = {
        "AsyncClient": "Client", "AsyncBaseTransport": "BaseTransport", "AsyncIterator": "Iterator",
        "aclose": "close", "aread": "read", "aiter_lines": "iter_lines", "asyncio": "time",
        "__aenter__": "__enter__", "__aexit__": "__exit__",
    }  # fmt: skip

    def visit(self, node: ast.AST) -> Any:
        node = super().generic_visit(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, str):
                setattr(node, name, self.NAMES.get(value, value))
        match node:
            case ast.Await():
                return node.value
            case ast.For() | ast.AsyncFor():
                match node.body:
                    case [ast.Expr(ast.Yield(ast.Name(name)))] if name == ast.unparse(node.target):
                        return ast.Expr(ast.YieldFrom(node.iter))
        plain = getattr(ast, type(node).__name__.removeprefix("Async"))
        return plain(**dict(ast.iter_fields(node)))


def test_the_clients_differ_in_waiting_alone() -> None:
    unblocked, sync = (
        ast.parse((FOLDER / f"{name}.py").read_text("utf-8")).body for name in ("asynchronous", "synchronous")
    )
    made, written = (
        next(node for node in body if isinstance(node, ast.ClassDef)) for body in (unblocked, sync)
    )
    assert ast.unparse(ast.fix_missing_locations(Awaited().visit(made))) == ast.unparse(written)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder from which `trefoil_client` is imported, as it is once installed."""
    (tmp_path / "trefoil_client").symlink_to(FOLDER)
    return tmp_path


@pytest.mark.parametrize(("ruleset", "options"), [
    ("scamper", {"rounds": 1}),
    ("scoops", {"target": 1, "turn_limit": 5, "round_limit": 1}),
    ("scram", {"rounds": 1, "turn_limit": 5}),
])  # fmt: skip
@pytest.mark.django_db(transaction=True)
def test_a_bot_of_thirty_lines_plays_a_game_to_its_end(
    transactional_db: None, package: Path, ruleset: str, options: Any
) -> None:
    bot = EXAMPLES / f"{ruleset}_bot.py"
    assert len([line for line in bot.read_text("utf-8").splitlines() if line.strip()]) <= 30
    cast = a_cast()
    sitting = people(cast, 3 if ruleset == "scram" else 2)
    game = cast.game(ruleset, options, [UUID(player) for _, player in sitting])
    with streaming() as address:
        playing = [start(bot, package, address, game, account) for account, _ in sitting]
        answers = [each.communicate(timeout=patience.SECONDS) for each in playing]
    assert [out for out, _ in answers] == ["finished\n"] * len(sitting), answers
    game.refresh_from_db()
    assert game.status == "finished"


PAGE = (FOLDER.parents[1] / "docs" / "clients.md").read_text("utf-8")


@pytest.mark.django_db(transaction=True)
def test_the_examples_of_the_page_run(transactional_db: None, package: Path, tmp_path: Path) -> None:
    programs = []
    for number, text in enumerate(re.findall("```python\n(.*?)```", PAGE, re.DOTALL)):
        programs.append(tmp_path / f"{number}.py")
        programs[-1].write_text(text, "utf-8")
    sync, unblocked, refused, lines = programs
    cast = a_cast()
    game = cast.game("scoops", {"target": 1, "turn_limit": 3, "round_limit": 1})
    with streaming() as address:
        early = start(refused, package, address, game, cast.olga).communicate(timeout=patience.SECONDS)
        players = [(sync, cast.paul), (unblocked, cast.petra)]
        playing = [start(program, package, address, game, account) for program, account in players]
        answers = [each.communicate(timeout=patience.SECONDS) for each in playing]
        late = start(refused, package, address, game, cast.paul).communicate(timeout=patience.SECONDS)
        read = start(lines, package, address, game, cast.paul, cast.club.slug).communicate(
            timeout=patience.SECONDS
        )
    assert "NotAllowed" in early[1]
    assert all(ast.literal_eval(out)[0]["seat"] == 0 for out, _ in answers), answers
    assert late[0].startswith("Rule "), late
    game.refresh_from_db()
    assert read[0] == f"{game.pk} {game.seq}\n", read


def start(
    bot: Path, package: Path, address: str, game: Game, account: Account, club: str = ""
) -> "subprocess.Popen[str]":
    """Start a bot for an account, as a program of its own."""
    secret = create_token(by=account, name="bot", scopes=["play"]).secret
    where = {
        "TREFOIL": address,
        "GAME": str(game.pk),
        "TOKEN": secret,
        "CLUB": club,
        "PYTHONPATH": str(package),
    }
    return subprocess.Popen(
        [sys.executable, str(bot)],
        env={**os.environ, **where},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
