"""The stream of a game: no event is lost or repeated, and it ends with the game."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from api import feeds, listening, stream
from api.events import since
from games.models import Game
from league.callers import ByAccount
from league.models import Account, WatchedGames
from league.queries.games import streamed_game
from league.queries.wall import watchers_of
from league.services.accounts import create_token
from league.services.channel import report_watchers
from league.services.play import make_move
from tests import patience
from tests.api.live import Events, plain, server, streaming
from tests.api.web import EVERYBODY, ROOT, assert_problem, say
from tests.factories import Cast
from tests.factories import cast as a_cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return a_cast()


@pytest.fixture
def address() -> Iterator[str]:
    with streaming(alive_seconds=0.3) as where:
        yield where


@contextmanager
def watching(address: str, game: Game, query: str = "", **headers: str) -> Iterator[Events]:
    path = f"{address}/games/{game.pk}/events/{query}"
    with httpx.stream("GET", path, headers=headers, timeout=patience.SECONDS) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Events(answer)


def moves(events: Events, count: int) -> list[dict[str, str]]:
    """Return the next moves, without heartbeats and the time to wait before coming back."""
    shown = (event for event in events if "event" in event)
    return [next(shown) for _ in range(count)]


def play(game: Game, account: Account, seq: int, number: int = 5) -> None:
    make_move(ByAccount(account), game_id=game.pk, seq=seq, move=say(number))


def test_a_client_gets_the_log_so_far_then_each_move_then_the_end(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    with watching(address, game) as events:
        assert moves(events, 1)[0]["id"] == "1"
        play(game, cast.paul, 2)
        first = moves(events, 1)[0]
        assert (first["event"], first["id"]) == ("move", "2")
        assert (
            json.loads(first["data"])
            == EVERYBODY.get(f"{ROOT}/games/{game.pk}/moves/?after=1").json()["results"][0]
        )
        play(game, cast.petra, 3, 9)
        second, over = moves(events, 2)
        assert (second["id"], over["event"]) == ("3", "over")
        assert json.loads(over["data"])["status"] == "finished"
        assert list(events) == []


def test_the_stream_of_a_finished_game_sends_the_log_and_ends(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    play(game, cast.paul, 2)
    play(game, cast.petra, 3)
    with watching(address, game) as events:
        assert [event["event"] for event in events if "event" in event] == ["move"] * 3 + ["over"]


@pytest.mark.parametrize(("query", "headers"), [
    ("?after=1", {}), ("", {"Last-Event-ID": "1"}), ("?after=0", {"Last-Event-ID": "1"}),
])  # fmt: skip
def test_a_client_that_reconnects_resumes_after_its_last_event(
    cast: Cast, address: str, query: str, headers: dict[str, str]
) -> None:
    game = cast.game("tally")
    play(game, cast.paul, 2)
    with watching(address, game, query, **headers) as events:
        assert moves(events, 1)[0]["id"] == "2"


def test_a_client_that_sends_a_future_id_gets_that_entry_when_it_is_made(cast: Cast, address: str) -> None:
    game = cast.game("tally")
    with watching(address, game, "?after=99") as events:
        next(events)
        play(game, cast.paul, 2)
        assert moves(events, 1)[0]["id"] == "2"


def test_a_stream_without_moves_sends_comments(cast: Cast, address: str) -> None:
    with watching(address, cast.game("tally"), "?after=1") as events:
        assert [event.get("comment") for event, _ in zip(events, range(3), strict=False)][1:] == [
            "still here"
        ] * 2


def test_a_page_gets_events_as_signs_of_life(cast: Cast, address: str) -> None:
    with watching(address, cast.game("tally"), "?after=1&alive=true") as events:
        signs = [event for event in (next(events) for _ in range(5)) if event.get("event") == "alive"]
    assert signs
    assert {(sign["comment"], sign["data"], "id" in sign) for sign in signs} == {("still here", "{}", False)}


def test_each_of_many_clients_gets_all_events(cast: Cast, address: str) -> None:
    game = cast.game("tally", {"rounds": 10})
    streams = [watching(address, game) for _ in range(5)]
    opened = [each.__enter__() for each in streams]
    for seq in range(2, 12):
        play(game, (cast.paul, cast.petra)[seq % 2], seq)
    for events in opened:
        assert [event["id"] for event in moves(events, 11)] == [str(seq) for seq in range(1, 12)]
    for each in streams:
        each.__exit__(None, None, None)


def test_no_event_is_lost_when_the_database_listener_reconnects(
    cast: Cast, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "RECONNECT_SECONDS", 0.1)
    game = cast.game("tally")
    with watching(address, game) as events:
        moves(events, 1)
        next(events)  # the first heartbeat: by now the process listens
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE query LIKE 'LISTEN %' AND datname = current_database()"
            )
        play(game, cast.paul, 2)
        assert moves(events, 1)[0]["id"] == "2"


def test_a_client_far_behind_gets_the_missing_entries_from_the_log(cast: Cast, address: str) -> None:
    game = cast.game("tally", {"rounds": 10})
    with watching(address, game) as events:
        for seq in range(2, 9):
            play(game, (cast.paul, cast.petra)[seq % 2], seq)
        assert [event["id"] for event in moves(events, 8)] == [str(seq) for seq in range(1, 9)]


# ---- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(("query", "headers", "status", "code"), [
    ("?after=x", {}, 400, "malformed"),
    ("", {"Last-Event-ID": "-1"}, 400, "malformed"),
    ("?after=x", {"Last-Event-ID": "1"}, 400, "malformed"),
    ("?watching=maybe", {}, 400, "malformed"),
    ("", {"Authorization": "Bearer nonsense"}, 401, "bad_token"),
])  # fmt: skip
def test_a_stream_request_is_checked_like_any_request(
    cast: Cast, address: str, query: str, headers: dict[str, str], status: int, code: str
) -> None:
    path = f"{address}/games/{cast.game('tally').pk}/events/{query}"
    answer = httpx.get(path, headers=headers, timeout=patience.SECONDS)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_the_stream_of_an_unknown_game_is_not_found(cast: Cast, address: str) -> None:
    answer = httpx.get(f"{address}/games/{uuid4()}/events/", timeout=patience.SECONDS)
    assert answer.json()["code"] == "not_found"


def test_a_head_request_gets_no_stream(cast: Cast, address: str) -> None:
    path = f"{address}/games/{cast.game('tally').pk}/events/"
    assert httpx.head(path, timeout=patience.SECONDS).status_code == 200


def test_an_entry_is_told_once_what_it_brought_is_known(cast: Cast) -> None:
    game = cast.game("tally")
    read = streamed_game(game.pk)
    play(game, cast.paul, 2)
    assert [event.id for event in since(read, 0).events] == ["1"]
    assert [event.id for event in since(streamed_game(game.pk), 1).events] == ["2"]


def test_without_asgi_the_response_ends_after_the_entries_so_far(cast: Cast) -> None:
    game = cast.game("tally")
    answer = EVERYBODY.get(f"{ROOT}/games/{game.pk}/events/")
    assert answer.content.startswith(b"retry: 2000\n\nid: 1\nevent: move\n")
    assert_problem(EVERYBODY.post(f"{ROOT}/games/{game.pk}/events/"), 405, "method_not_allowed")


def test_the_real_server_streams_events_and_serves_other_requests(cast: Cast, site: str) -> None:
    game = cast.game("tally")
    with watching(f"{site}{ROOT}", game) as events:
        assert moves(events, 1)[0]["id"] == "1"
        play(game, cast.paul, 2)
        assert moves(events, 1)[0]["id"] == "2"
    answer = httpx.get(f"{site}{ROOT}/games/{game.pk}/", timeout=patience.SECONDS)
    assert answer.json()["seq"] == 2


# ---- How many watch ------------------------------------------------------------------------------


def watchers(events: Events, count: int) -> None:
    """Return once an event says that so many watch."""
    for event in events:
        if event.get("event") == "watching" and json.loads(event["data"]) == {"watching": count}:
            assert "id" not in event
            return


def test_who_asks_is_told_how_many_watch_and_players_are_none(
    cast: Cast, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "RECOUNT_SECONDS", 0.0)
    monkeypatch.setattr("league.queries.wall.LAPSES", lapses := timedelta(minutes=30))
    game, elsewhere = cast.game("tally"), uuid4()
    player = create_token(by=cast.paul, name="test", scopes=["read"]).secret
    with watching(address, game, "?watching=true", Authorization=f"Bearer {player}") as paul:
        watchers(paul, 0)
        with watching(address, game, "?after=1&watching=true") as one, watching(address, game):
            watchers(one, 1)
            watchers(paul, 1)
            assert report_watchers(elsewhere, {game.pk: 2}) == {game.pk: 3}
            with watching(address, game, "?watching=true") as another:
                watchers(another, 4)
            watchers(one, 3)
        watchers(paul, 2)
        WatchedGames.objects.filter(process=elsewhere).update(at=timezone.now() - lapses)
        assert watchers_of([game.pk]) == {game.pk: 0}


# ---- Who does not keep up, and who leaves --------------------------------------------------------


class Visitor:
    """A connection driven by hand: takes so many messages and then no more, or leaves."""

    def __init__(self, game_id: UUID, takes: int, leaves: bool) -> None:
        path = f"{ROOT}/games/{game_id}/events/"
        self.scope: dict[str, Any] = {
            "type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [(b"host", b"x")],
            "http_version": "1.1",
        }  # fmt: skip
        self.received: list[Any] = []
        self._takes, self._leaves = takes, leaves
        self._asked = 0

    async def send(self, message: Any) -> None:
        if len(self.received) >= self._takes:
            await asyncio.Event().wait()
        self.received.append(message)

    async def receive(self) -> Any:
        self._asked += 1
        if self._asked > 1 and not self._leaves:
            await asyncio.Event().wait()
        return {"type": "http.disconnect" if self._asked > 1 else "http.request", "body": b""}


@pytest.mark.parametrize(("takes", "leaves"), [(2, False), (99, True)], ids=["too-slow", "gone"])
def test_a_client_that_does_not_receive_or_disconnects_is_dropped(
    cast: Cast, takes: int, leaves: bool
) -> None:
    game = cast.game("tally")

    async def visit() -> None:
        live = stream.Stream(plain(), alive_seconds=0.05, send_seconds=0.2)
        visitor = Visitor(game.pk, takes, leaves)
        async with asyncio.timeout(patience.SECONDS):
            await live(visitor.scope, visitor.receive, visitor.send)
        assert visitor.received[0]["status"] == 200
        assert live._hub._feeds == {}

    # In a thread of its own: a browser's tests leave an event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, visit()).result()


# ---- The entrance --------------------------------------------------------------------------------


def test_the_stream_accepts_a_token(cast: Cast) -> None:
    game = cast.game("tally")
    secret = create_token(by=cast.paul, name="test", scopes=["read"]).secret
    with server(plain()) as address:
        headers = {"Authorization": f"Bearer {secret}"}
        shown = httpx.get(f"{address}/games/{game.pk}/", headers=headers, timeout=patience.SECONDS).json()
    assert shown["you"] == 0
