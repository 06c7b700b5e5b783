"""Objections of people without an account, on their own evening's page."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from games import database_time
from league.apps.my_evening import services
from league.core.verbs.objections import PostResults
from league.core.verbs.rulings import SetResult
from league.models import Competition, TableSeat
from tests.apps.my_evening.test_my_evening import _on_paper, code, competition, evening, opened_by, seats
from tests.factories import Cast
from tests.league.acting import act

__all__ = ["_on_paper", "competition", "seats"]


@pytest.fixture
def posted(cast: Cast, competition: Competition, seats: list[TableSeat]) -> Competition:
    scores = tuple({"seat": each.number, "score": 9 - each.number} for each in seats)
    act(cast.olga, competition, SetResult, table=seats[0].table_id, seats=scores)
    until = database_time.now() + timedelta(minutes=30)
    act(cast.olga, competition, PostResults, until=until)
    return competition


def send(client: Client, posted: Competition, seats: list[TableSeat], what: str = "9") -> str:
    address = f"/competitions/{posted.slug}/my-evening/object/"
    answer = client.post(address, {"table": str(seats[0].table_id), "what": what}, follow=True)
    return str(answer.content.decode())


def test_an_objection_is_made_without_an_account_and_only_once(
    cast: Cast, posted: Competition, seats: list[TableSeat]
) -> None:
    client = opened_by(code(cast, posted, seats[2].player))
    assert "Objections until" in evening(client, posted)
    assert "written down" in send(client, posted, seats)
    send(client, posted, seats)
    assert "You have objected to this table already" in send(client, posted, seats, "more")
    (row,) = posted.events.filter(event__type="objected")
    assert (row.role, row.account) == ("player", None)
    assert row.event["entry"] == str(seats[2].entry_id)


def test_an_objection_is_one_line_however_it_is_typed(
    cast: Cast, posted: Competition, seats: list[TableSeat]
) -> None:
    client = opened_by(code(cast, posted, seats[2].player))
    assert "written down" in send(client, posted, seats, "9,\r\nnot 6")
    assert posted.events.get(event__type="objected").event["what"] == "9, not 6"


def test_an_objection_stays_as_it_was_typed_where_it_is_refused(
    cast: Cast, posted: Competition, seats: list[TableSeat]
) -> None:
    client = opened_by(code(cast, posted, seats[2].player))
    shown = send(client, posted, seats, "9 is 6. " * 100)
    assert "9 is 6. 9 is 6." in shown
    assert "500 characters" in shown


def test_an_objection_ends_with_the_code(cast: Cast, posted: Competition, seats: list[TableSeat]) -> None:
    client = opened_by(code(cast, posted, seats[2].player))
    services.revoke(by=cast.olga, competition=posted)
    send(client, posted, seats)
    assert not posted.events.filter(event__type="objected").exists()


def test_an_objection_is_late_one_second_after_the_time(
    cast: Cast, posted: Competition, seats: list[TableSeat]
) -> None:
    client = opened_by(code(cast, posted, seats[2].player))
    with time_machine.travel(database_time.now() + timedelta(minutes=30, seconds=1), tick=False):
        assert "The time for objections is over" in send(client, posted, seats)
    assert not posted.events.filter(event__type="objected").exists()
