"""Moves in one statement: what it looks at again, though this process has kept it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from api import quick
from api.quick import JSON
from api.serializers.games import game_body
from games import log
from games.engine import replay
from games.models import Game, Seat
from games.models.moves import Move
from league.models import Account, Player, Token
from league.queries.reading import GameRead, Holder, Place
from tests.api.web import ROOT, bearer, get, logged_in, move, say
from tests.factories import Cast
from tests.rules.recording import Recorder


class Table:
    """A game of Paul and Petra in which each has moved, so that all is known of it."""

    def __init__(self, cast: Cast) -> None:
        self.game = cast.game("tally", {"rounds": 50})
        self.clients = (bearer(cast.petra), bearer(cast.paul))
        self.seq = 1
        for _ in range(4):
            assert self.moves().status_code == 201

    def moves(self, **headers: Any) -> Any:
        """Return the answer to the next move."""
        client = self.clients[self.seq % 2]
        body = {"seq": self.seq + 1, "move": say(1)}
        answer = client.post(f"{ROOT}/games/{self.game.pk}/moves/", body, **headers)
        self.seq += answer.status_code == 201
        return answer

    def statements(self, **headers: Any) -> int:
        """Return how many statements the next move takes."""
        with CaptureQueriesContext(connection) as queries:
            assert self.moves(**headers).status_code == 201
        return len(queries)


@pytest.fixture
def table(cast: Cast) -> Table:
    return Table(cast)


def test_a_move_takes_one_statement(table: Table) -> None:
    assert table.statements() == 1


def test_a_move_of_an_unusual_request_is_made_all_the_same(table: Table) -> None:
    assert table.statements(HTTP_ACCEPT="application/json; indent=1, */*") > 1


def test_the_answer_is_the_one_of_the_usual_view(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = table.moves()
    assert at_once.json() == get(f"/games/{table.game.pk}/", table.clients[table.seq % 2 - 1])
    monkeypatch.setattr("api.quick.answer", lambda _: None)
    usual = table.moves()
    assert usual.json().keys() == at_once.json().keys()
    assert (at_once["Location"], usual["Location"]) == tuple(
        f"{ROOT}/games/{table.game.pk}/at/{table.seq - late}/" for late in (1, 0)
    )
    ignored = {"Allow", "Content-Length", "Location", "RateLimit"}
    assert {*at_once["Vary"].split(", ")} == {*usual["Vary"].split(", ")}
    ignored.add("Vary")
    assert {n: v for n, v in at_once.headers.items() if n not in ignored} == {
        n: v for n, v in usual.headers.items() if n not in ignored
    }


def test_a_server_gets_the_answer_before_django(table: Table) -> None:
    path = f"{ROOT}/games/{table.game.pk}/"
    client: Any = table.clients[0]
    usual = client.get(path)
    environ = RequestFactory().get(path, **client._credentials).environ
    at_once = quick.at_once(environ)
    assert at_once and at_once.content == usual.content
    assert at_once.headers.items() - {("RateLimit", at_once["RateLimit"])} <= {*usual.headers.items()}


def test_a_request_that_is_not_usual_can_be_read_by_django(table: Table) -> None:
    path, body = f"{ROOT}/games/{table.game.pk}/moves/", '{"seq": 1, "move": {}}'
    client: Any = table.clients[0]
    sent = RequestFactory().post(path, body, JSON, **client._credentials)
    assert quick.at_once(sent.environ) is None
    assert sent.environ["wsgi.input"].read() == body.encode()
    assert quick.answer(WSGIRequest(sent.environ)) is None


# No notification tells of these changes: the statement itself looks.


def revoke(cast: Cast) -> None:
    Token.objects.update(revoked_at=timezone.now())


def close(cast: Cast) -> None:
    Account.objects.filter(pk__in=[cast.paul.pk, cast.petra.pk]).update(is_active=False)


def narrow(cast: Cast) -> None:
    Token.objects.update(scopes=["read"])


def unseat(cast: Cast) -> None:
    Seat.objects.update(account=None)


@pytest.mark.parametrize(("change", "status"), [(revoke, 401), (close, 401), (narrow, 403), (unseat, 403)])
def test_a_right_that_has_ended_ends_at_once(
    cast: Cast, table: Table, change: Callable[[Cast], None], status: int
) -> None:
    change(cast)
    assert table.moves().status_code == status
    assert Move.objects.filter(game=table.game).count() == table.seq


def test_a_new_name_is_in_the_next_answer(cast: Cast, table: Table) -> None:
    Player.objects.filter(pk=cast.petra_plays.pk).update(name="Petra Pear")
    assert table.moves().json()["seats"][1]["player"]["name"] == "Petra Pear"
    assert table.statements() == 1


def test_a_head_that_another_process_has_moved_makes_a_move_stale(table: Table) -> None:
    latest, client = log._LATEST(table.game.pk), table.clients[table.seq % 2]
    here = latest.kept, latest.row
    table.moves()
    latest.kept, latest.row = here
    refused = move(client, table.game, table.seq, say(2))
    assert (refused.status_code, refused.json()["seq"]) == (409, table.seq + 1)
    latest.kept, latest.row = here
    assert move(client, table.game, table.seq, say(1)).status_code == 200


def test_an_illegal_move_is_refused_with_its_rule(table: Table) -> None:
    client = table.clients[table.seq % 2]
    refused = move(client, table.game, table.seq + 1, say(13))
    assert (refused.status_code, refused.json()["rule"]) == (422, "T2")


class TestLooking:
    """A game read again: in one statement, and not sent again where nothing has changed."""

    def look(self, table: Table, client: Any, **headers: Any) -> Any:
        return client.get(f"{ROOT}/games/{table.game.pk}/", **headers)

    def test_takes_one_statement(self, table: Table) -> None:
        for client in (*table.clients, APIClient()):
            with CaptureQueriesContext(connection) as queries:
                assert self.look(table, client).status_code == 200
            assert len(queries) == 1

    def test_without_a_change_is_not_modified(self, cast: Cast, table: Table) -> None:
        for client in (*table.clients, APIClient(), logged_in(cast.paul)):
            tag = self.look(table, client)["ETag"]
            again = self.look(table, client, HTTP_IF_NONE_MATCH=tag)
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
            assert "private" in again["Cache-Control"]
            assert {"Authorization", "Cookie"} <= {*again["Vary"].split(", ")}

    def test_has_one_tag_for_a_token_and_a_session(self, cast: Cast, table: Table) -> None:
        assert self.look(table, logged_in(cast.paul))["ETag"] == self.look(table, table.clients[1])["ETag"]

    def test_of_somebody_else_has_another_tag(self, table: Table) -> None:
        clients = (*table.clients, APIClient())
        assert len({self.look(table, client)["ETag"] for client in clients}) == 3

    @pytest.mark.parametrize("change", [
        lambda cast, table: table.moves(),
        lambda cast, table: Player.objects.filter(pk=cast.petra_plays.pk).update(name="Petra Pear"),
        lambda cast, table: Seat.objects.filter(player=cast.petra_plays.pk).update(account=None),
    ], ids=["a move", "a name", "a seat"])  # fmt: skip
    def test_after_a_change_is_sent_again(
        self, cast: Cast, table: Table, change: Callable[[Cast, Table], Any]
    ) -> None:
        tag = self.look(table, table.clients[0])["ETag"]
        change(cast, table)
        again = self.look(table, table.clients[0], HTTP_IF_NONE_MATCH=tag)
        assert (again.status_code, again["ETag"] == tag) == (200, False)

    def test_with_a_token_that_was_revoked_is_refused(self, cast: Cast, table: Table) -> None:
        tag = self.look(table, table.clients[0])["ETag"]
        revoke(cast)
        assert self.look(table, table.clients[0], HTTP_IF_NONE_MATCH=tag).status_code == 401


class TestTheSheet:
    """The answer has only the rounds that a client asks for, and does not grow with the game."""

    def rounds(self, answer: Any) -> list[int]:
        assert answer.status_code in (200, 201), answer.content
        return [row["round"] for row in answer.json()["view"]["sheet"]]

    @pytest.mark.parametrize("accept", ["*/*", "application/json; indent=1, */*"])
    def test_can_be_read_from_a_round_on(
        self, table: Table, accept: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(GameRead, "view", {"sheet": [{"round": 1}, {"round": 2}]})
        path, client = f"{ROOT}/games/{table.game.pk}", table.clients[table.seq % 2]
        assert self.rounds(client.get(f"{path}/", HTTP_ACCEPT=accept)) == [1, 2]
        assert self.rounds(client.get(f"{path}/?sheet_after=1", HTTP_ACCEPT=accept)) == [2]
        body = {"seq": table.seq + 1, "move": say(1)}
        made = client.post(f"{path}/moves/?sheet_after=2", body, HTTP_ACCEPT=accept)
        assert self.rounds(made) == []

    @pytest.mark.parametrize("given", ["", "x", "-1", "9" * 20])
    def test_with_a_wrong_number_is_malformed(self, table: Table, given: str) -> None:
        answer = table.clients[0].get(f"{ROOT}/games/{table.game.pk}/?sheet_after={given}")
        assert answer.status_code == 400 and "sheet_after" in answer.json()["errors"]

    def test_leaves_answers_as_long_as_they_were_however_long_the_game_is(self) -> None:
        played = Recorder("scoops", 4, {"round_limit": 100, "turn_limit": 60, "target": 10})
        whole, since = list[int](), list[int]()
        for entries in range(100, 1300, 100):
            by_default(played, entries)
            read = as_read(played)
            sheet: Any = read.view["sheet"]
            rounds = [row["round"] for row in sheet]
            whole.append(len(quick.as_json(game_body(read))))
            since.append(len(quick.as_json(game_body(read, max(rounds, default=0)))))
        # Hands and choices differ by some cards: of each half of the game the longest answer counts.
        assert max(since[6:]) < max(since[:6]) + 500
        assert max(whole[6:]) > max(whole[:6]) + 500


def by_default(played: Recorder, entries: int) -> None:
    """Let all seats make their default moves until the log has so many entries."""
    while len(played.entries) < entries:
        position = played.position
        seat = replay.awaited(position)[0]
        played.seat(
            seat, replay.write_move(position.ruleset, position.ruleset.default_move(position.state, seat))
        )


def as_read(played: Recorder) -> GameRead:
    """Return a game that is in no database as its first seat reads it."""
    seats = tuple((seat, seat, Holder(str(seat), f"Player {seat}", False)) for seat in range(4))
    game = Game(ruleset="scoops", options=played.opening.options, seq=len(played.entries), head=played.head)
    place = Place("", game.pk, "club", None, None, ruled=False, aided=True, seats=seats, accounts={})
    return GameRead(game, place, played.position, None, 0)
