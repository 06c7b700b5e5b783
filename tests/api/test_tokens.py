"""Tokens are created by people, and listed and revoked only by their own account."""

import hashlib
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from league.models import Token
from tests.api.web import ROOT, assert_problem, bearer, get, logged_in
from tests.factories import Cast


def make(client: APIClient, **changes: object) -> Any:
    return client.post(f"{ROOT}/tokens/", {"name": "my bot", "scopes": ["play"], **changes})


def test_the_secret_of_a_token_is_shown_only_when_it_is_created(cast: Cast) -> None:
    paul = logged_in(cast.paul)
    made = make(paul)
    assert made.status_code == 201
    secret, token = made.json()["secret"], made.json()["token"]
    assert token["scopes"] == ["play"] and token["revoked_at"] is None
    assert get("/tokens/", paul)["results"] == [token]
    assert paul.get(made["Location"]).json() == token
    assert Token.objects.get().digest == hashlib.sha256(secret.encode()).hexdigest()


def test_a_token_can_not_create_tokens(cast: Cast) -> None:
    assert_problem(make(bearer(cast.paul)), 403, "not_allowed")


@pytest.mark.parametrize(("changes", "field"), [
    ({"name": ""}, "name"), ({"name": "a" * 81}, "name"), ({"name": "\x07"}, "name"),
    ({"name": None}, "name"), ({"scopes": []}, "scopes"), ({"scopes": ["all"]}, "scopes.0"),
    ({"scopes": "play"}, "scopes"),
    ({"scopes": ["play"] * 10}, "scopes"), ({"scopes": [[]]}, "scopes.0"), ({"owner": "olga"}, "owner"),
    ({"days": 0}, "days"), ({"days": 367}, "days"), ({"days": None}, "days"),
])  # fmt: skip
def test_a_wrong_token_names_the_field(cast: Cast, changes: dict[str, object], field: str) -> None:
    assert field in assert_problem(make(logged_in(cast.paul), **changes), 400, "malformed")["errors"]


def test_a_token_expires_after_the_days_that_were_chosen(cast: Cast) -> None:
    made = make(logged_in(cast.paul), days=30).json()
    ends = datetime.fromisoformat(made["token"]["expires_at"])
    assert ends - datetime.fromisoformat(made["token"]["created_at"]) >= timedelta(days=30, minutes=-1)
    bot = APIClient(HTTP_AUTHORIZATION=f"Bearer {made['secret']}")
    assert bot.get(f"{ROOT}/me/").status_code == 200
    with time_machine.travel(ends):
        assert_problem(bot.get(f"{ROOT}/me/"), 401, "bad_token")


def test_an_account_lists_only_its_own_tokens(cast: Cast) -> None:
    bearer(cast.petra)
    assert [row["name"] for row in get("/tokens/", bearer(cast.paul, "read"))["results"]] == ["test"]


def test_a_revoked_token_is_refused(cast: Cast) -> None:
    paul, bot = logged_in(cast.paul), bearer(cast.paul)
    assert paul.delete(f"{ROOT}/tokens/{Token.objects.get().pk}/").status_code == 204
    assert_problem(bot.get(f"{ROOT}/tokens/"), 401, "bad_token")


def test_a_token_can_revoke_itself_and_no_other_token(cast: Cast) -> None:
    first, second = bearer(cast.paul), bearer(cast.paul)
    newest, oldest = Token.objects.filter(account=cast.paul).order_by("-created_at")
    assert_problem(first.delete(f"{ROOT}/tokens/{newest.pk}/"), 403, "not_allowed")
    assert first.delete(f"{ROOT}/tokens/{oldest.pk}/").status_code == 204
    assert second.get(f"{ROOT}/tokens/").status_code == 200


def test_the_token_of_another_account_is_not_found(cast: Cast) -> None:
    bearer(cast.petra)
    address, paul = f"{ROOT}/tokens/{Token.objects.get().pk}/", logged_in(cast.paul)
    for send in (paul.get, paul.delete):
        assert_problem(send(address), 404, "not_found")


def test_the_tokens_of_a_closed_account_are_refused(cast: Cast) -> None:
    bot = bearer(cast.paul)
    cast.paul.is_active = False
    cast.paul.save()
    assert_problem(bot.get(f"{ROOT}/rulesets/"), 401, "bad_token")
