"""The API of who is coming."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from league.models import Account, Competition
from tests.apps.attendance.conftest import evening
from tests.factories import Cast


def client_of(account: Account) -> APIClient:
    client = APIClient()
    client.force_authenticate(account)
    return client


def mine(account: Account, competition: Competition, **body: Any) -> Any:
    address = f"/api/v1/competitions/{competition.pk}/me/answer/"
    client = client_of(account)
    return client.put(address, body, format="json") if body else client.get(address)


def test_a_player_reads_and_changes_the_own_answer(cast: Cast, tonight: Competition) -> None:
    assert mine(cast.paul, tonight).json() == {
        "reply": "",
        "wish": "",
        "at": None,
        "away_until": None,
        "open": True,
    }
    given = mine(cast.paul, tonight, reply="guest", wish="fills_in", guest="Gus").json()
    assert (given["reply"], given["wish"], given["open"]) == ("guest", "fills_in", True)
    assert mine(cast.paul, tonight, reply="guest").json() == given == mine(cast.paul, tonight).json()


def test_organisers_read_all_answers_in_their_order(cast: Cast, tonight: Competition) -> None:
    mine(cast.petra, tonight, reply="no")
    mine(cast.paul, tonight, reply="yes")
    address = f"/api/v1/competitions/{tonight.pk}/answers/"
    found = client_of(cast.olga).get(address).json()
    told = [(each["player"]["name"], each["reply"], each["seq"], each["by"]) for each in found]
    assert told == [("Petra Plum", "no", 1, "petra"), ("Paul Pike", "yes", 2, "paul")]
    assert {client_of(each).get(address).status_code for each in (cast.paul, cast.nora)} == {403}


@pytest.mark.parametrize(
    ("body", "status"), [({"reply": "maybe"}, 400), ({"reply": "yes", "wish": "x"}, 400), ({"x": 1}, 400)]
)
def test_a_wrong_answer_is_refused(
    cast: Cast, tonight: Competition, body: dict[str, Any], status: int
) -> None:
    assert mine(cast.paul, tonight, **body).status_code == status


def test_who_is_no_player_and_where_nobody_is_asked(cast: Cast, tonight: Competition) -> None:
    assert mine(cast.nora, tonight, reply="yes").status_code == 403
    assert mine(cast.paul, evening(cast, asks=False), reply="yes").status_code == 422
