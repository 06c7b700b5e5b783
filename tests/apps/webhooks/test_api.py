"""Webhooks by API: what the desk does, with the scope `club:organise`."""

from collections.abc import Iterator
from typing import Any

import pytest
from standardwebhooks import Webhook as Standard

from league import tasks
from league.apps.webhooks.models import Delivery, Webhook
from tests.api.web import ROOT, assert_problem, bearer
from tests.factories import Cast
from tests.listener import Listener, listening


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


def test_an_organiser_makes_changes_and_removes_one(cast: Cast) -> None:
    olga, path = bearer(cast.olga, "club:organise"), f"{ROOT}/clubs/{cast.club.slug}/webhooks/"
    body = {"url": "https://club.example/x", "kinds": ["result"]}
    made = olga.post(path, body, HTTP_IDEMPOTENCY_KEY="one")
    again = olga.post(path, body, HTTP_IDEMPOTENCY_KEY="one")
    assert (made.status_code, again.status_code, again.json()["secret"]) == (201, 200, None)
    one = made["Location"]
    assert made.json()["secret"].startswith("whsec_") and olga.get(one).json() == again.json()["webhook"]
    changed = olga.patch(one, {"active": False, "kinds": ["game_over", "result"]}).json()
    assert (changed["url"], changed["active"], len(changed["kinds"])) == (body["url"], False, 2)
    other = olga.post(f"{one}secret/", {}).json()
    assert other["secret"] != made.json()["secret"] and other["webhook"]["former_until"]
    assert other["secret"] not in olga.get(path).content.decode()
    wrong = olga.patch(one, {"url": "ftp://club.example/"})
    assert [*assert_problem(wrong, 400, "malformed")["errors"]] == ["url"]
    assert olga.delete(one).status_code == 204
    assert olga.get(path).json()["results"] == [] and not Webhook.objects.exists()


def test_a_test_and_a_message_are_sent_by_a_worker(
    cast: Cast, listener: Listener, django_capture_on_commit_callbacks: Any
) -> None:
    olga, path = bearer(cast.olga, "club:organise"), f"{ROOT}/clubs/{cast.club.slug}/webhooks/"
    made = olga.post(path, {"url": listener.url, "kinds": ["result"]})
    one, secret = made["Location"], made.json()["secret"]
    with django_capture_on_commit_callbacks(execute=True):
        begun = olga.post(f"{one}test/", {})
    assert (begun.status_code, begun.json()["status"]) == (202, "waiting")
    assert olga.get(begun["Location"]).json()["status"] == "delivered"
    assert Standard(secret).verify(listener.received[0].body, listener.received[0].headers)["kind"] == "ping"
    refused = olga.post(f"{begun['Location']}resend/", {})
    assert_problem(refused, 422, "illegal")
    row = Webhook.objects.get()
    message = Delivery.objects.create(webhook=row, kind="result", payload={}, status="failed", next_at=None)
    again = olga.post(f"{one}deliveries/{message.id}/resend/", {})
    assert (again.status_code, again.json()["status"]) == (202, "waiting")
    tasks.sweep()
    assert olga.get(f"{one}deliveries/").json()["results"][0]["status"] == "delivered"
    assert len(listener.received) == 2


def test_nobody_else_sees_them(cast: Cast) -> None:
    row = Webhook.objects.create(club=cast.club, url="https://club.example/x", kinds=["result"])
    other = cast.nora.memberships.get().club.slug
    for path in (f"clubs/{cast.club.slug}/webhooks/", f"clubs/{cast.club.slug}/webhooks/{row.pk}/"):
        assert_problem(bearer(cast.paul).get(f"{ROOT}/{path}"), 403, "not_allowed")
    assert_problem(bearer(cast.nora).get(f"{ROOT}/clubs/{other}/webhooks/{row.pk}/"), 404, "not_found")
    assert_problem(bearer(cast.olga, "club:rule").get(f"{ROOT}/{path}"), 403, "insufficient_scope")
