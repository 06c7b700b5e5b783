"""Programs that run an evening again."""

from typing import Any

import pytest
from django.test import Client

from league.core.verbs.entries import WithdrawEntry
from league.models import Competition
from league.services.accounts import create_token
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened


def post(cast: Cast, like: Competition, body: Any, scope: str = "club:organise") -> Any:
    secret = create_token(by=cast.olga, name="test", scopes=[scope]).secret
    return Client().post(
        f"/api/v1/competitions/{like.pk}/again/",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": "once"},
    )


def test_a_program_runs_an_evening_again_as_the_desk_offers_it(cast: Cast) -> None:
    like = opened(cast, 4, name="Night 7")
    act(cast.olga, like, WithdrawEntry, entry=like.entries.order_by("number")[0].pk)
    answers = [post(cast, like, {"day": "2027-03-11", "at": "19:30"}) for _retry in range(2)]
    assert [each.status_code for each in answers] == [201, 200]
    made = Competition.objects.get(pk=answers[0].json()["id"])
    assert (made.name, made.entries.count()) == ("Night 8", 3)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"day": "2027-02-30"}, "day"),
        ({"at": "25:00"}, "at"),
        ({"entries": ["5b0d0a2e-8c3b-4a39-9d51-0d2a37f4e0c1"]}, "entries.0"),
        ({"name": ""}, "name"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_made(cast: Cast, body: Any, wrong: str) -> None:
    answer = post(cast, opened(cast, 2), body)
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, [wrong])
    assert Competition.objects.count() == 1


def test_a_program_without_the_scope_is_refused(cast: Cast) -> None:
    assert post(cast, opened(cast), {}, "club:rule").status_code == 403
