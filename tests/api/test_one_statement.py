"""Moves and looks in one statement: what it asks again, though this process has kept it."""

from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.test import APIClient

from api.serializers.games import game_body
from games import log, rebuilding
from games.engine.clocks import Clock
from games.models import Game, Seat
from games.models.moves import Move
from league.models import Account, Player, Token
from league.queries.reading import GameRead, Holder, Place
from league.services import play
from tests.api.web import ROOT, bearer, get, logged_in, move, say
from tests.factories import Cast
from tests.rules.recording import Recorder


class Table:
    """A game of Paul and Petra in which each has moved, so that all is known of it."""

    def __init__(self, cast: Cast, **given: Any) -> None:
        self.game = cast.game("tally", {"rounds": 50}, **given)
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

    def look(self, **headers: Any) -> Any:
        """Return the answer to a look of the first player."""
        return self.clients[0].get(f"{ROOT}/games/{self.game.pk}/", **headers)

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


def test_the_last_move_of_a_game_is_decided_once_and_settles_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided, settled = mock.Mock(wraps=log._next), mock.Mock(wraps=play.settle_game)
    monkeypatch.setattr("games.log._next", decided)
    monkeypatch.setattr("league.services.play.settle_game", settled)
    while not table.moves().json()["result"]:
        assert not settled.called
    assert (decided.call_count, settled.call_count) == (table.seq - 5, 1)


def test_a_clock_that_a_rebuild_corrected_is_shown_and_goes_on(cast: Cast) -> None:
    table = Table(cast, clock=Clock(move=3600))
    right = get(f"/games/{table.game.pk}/", table.clients[0])["deadline"]
    early = timezone.now() - timedelta(days=9)
    Game.objects.update(since=[early, early], used=[timedelta(0)] * 2, deadline=early)
    tag = table.look()["ETag"]
    assert table.look(HTTP_IF_NONE_MATCH=tag).status_code == 304
    rebuilding.rebuild([table.game.pk])
    assert table.look(HTTP_IF_NONE_MATCH=tag).json()["deadline"] == right
    Game.objects.update(since=[early, early], used=[timedelta(0)] * 2, deadline=early)
    table.look()
    rebuilding.rebuild([table.game.pk])
    table.moves()
    made = Game.objects.get()
    rebuilding.rebuild([table.game.pk])
    again = Game.objects.get()
    assert (made.since, made.used, made.deadline) == (again.since, again.used, again.deadline)


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
    Player.objects.filter(pk=cast.petra_plays.pk).update(name="Petra Pear", public_name="Petra Pear")
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
        lambda cast, table: renamed(cast),
        lambda cast, table: Seat.objects.filter(player=cast.petra_plays.pk).update(account=None),
    ], ids=["a move", "a name", "a seat"])  # fmt: skip
    def test_after_a_change_is_sent_again(
        self, cast: Cast, table: Table, change: Callable[[Cast, Table], Any]
    ) -> None:
        tag = self.look(table, table.clients[0])["ETag"]
        change(cast, table)
        again = self.look(table, table.clients[0], HTTP_IF_NONE_MATCH=tag)
        assert (again.status_code, again["ETag"] == tag) == (200, False)

    def test_of_another_part_of_the_sheet_has_another_tag(self, table: Table) -> None:
        tag = self.look(table, table.clients[0])["ETag"]
        for accept in ("*/*", "application/json; indent=1, */*"):
            sent = {"QUERY_STRING": "sheet_after=1", "HTTP_IF_NONE_MATCH": tag, "HTTP_ACCEPT": accept}
            assert table.look(**sent).status_code == 200

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

    @pytest.mark.parametrize(("ruleset", "options"), [
        ("scamper", {"rounds": 10}), ("scoops", {"target": 5}), ("scram", {"rounds": 10}),
    ])  # fmt: skip
    def test_leaves_answers_as_long_as_they_were_however_long_the_game_is(
        self, ruleset: str, options: Any
    ) -> None:
        played = Recorder(ruleset, 4, options)
        since, left_out = list[int](), list[int]()
        while (read := as_read(played)).position.status == "active":
            sheet: Any = read.view["sheet"]
            whole = len(JSONRenderer().render(game_body(read)))
            since.append(len(JSONRenderer().render(game_body(read, sheet[-1]["round"] if sheet else 0))))
            left_out.append(whole - since[-1])
            played.play(until=len(played.entries) + 10)
        # Hands and choices differ by some cards: of each half of the game the middle of all lengths counts.
        half = len(since) // 2
        assert median(since[half:]) < median(since[:half]) + 300
        assert median(left_out[half:]) > median(left_out[:half]) + 300


def renamed(cast: Cast) -> int:
    """Give Petra another name."""
    named = {"name": "Petra Pear", "public_name": "Petra Pear"}
    return Player.objects.filter(pk=cast.petra_plays.pk).update(**named)


def as_read(played: Recorder) -> GameRead:
    """Return a game that is in no database as its first seat reads it."""
    game = Game(ruleset="scoops", options=played.opening.options, seq=len(played.entries), head=played.head)
    names = [f"Player {seat}" for seat in range(4)]
    seats = tuple(
        (seat, seat, Holder(str(seat), name, False, name, game.pk, None)) for seat, name in enumerate(names)
    )
    place = Place("", game.pk, "club", None, None, ruled=False, aided=True, seats=seats, accounts={})
    return GameRead(game, place, played.position, None, 0)
