"""An organiser creates, tests and watches webhooks on the desk."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.admin.needs import needs_of
from league.apps.webhooks.deliveries import send_webhook
from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.services import create_webhook, secret_of
from league.models import Club
from tests.factories import Cast
from tests.listener import Listener, listening

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
HOOKS = "/admin/webhooks/webhook/"
DELIVERIES = "/admin/webhooks/delivery/"


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


@pytest.fixture
def olga(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.olga)
    return client


@pytest.fixture
def webhook(cast: Cast, listener: Listener) -> Webhook:
    return create_webhook(by=cast.olga, club=cast.club, url=listener.url, kinds=["result"]).webhook


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_creating_one_shows_its_secret_once(cast: Cast, olga: Client) -> None:
    fields = {"club": cast.club.pk, "url": "https://club.example/hook", "kinds": ["result", "game_over"]}
    answer = olga.post(f"{HOOKS}add/", fields)
    webhook = Webhook.objects.get()
    assert secret_of(webhook) in text(answer)
    assert "no-store" in answer["Cache-Control"]
    assert webhook.kinds == ["game_over", "result"]
    for address in (HOOKS, f"{HOOKS}{webhook.pk}/change/", f"{HOOKS}{webhook.pk}/history/"):
        assert secret_of(webhook) not in text(olga.get(address))
        assert webhook.salt not in text(olga.get(address))


@pytest.mark.parametrize(
    "wrong",
    [{"url": "http://[::1"}, {"url": "mail@club.example"}, {"kinds": []}, {"kinds": ["ping"]}],
)
def test_an_error_is_shown_at_its_field(cast: Cast, olga: Client, wrong: dict[str, Any]) -> None:
    fields = {"club": cast.club.pk, "url": "https://club.example/hook", "kinds": ["result"], **wrong}
    answer = olga.post(f"{HOOKS}add/", fields)
    assert list(answer.context["adminform"].form.errors) == list(wrong)
    assert not Webhook.objects.exists()


def test_changing_one_keeps_its_secret(cast: Cast, olga: Client, webhook: Webhook) -> None:
    fields = {"url": "https://club.example/new", "kinds": ["result"], "active": ""}
    assert olga.post(f"{HOOKS}{webhook.pk}/change/", fields).status_code == 302
    changed = Webhook.objects.get()
    assert (changed.url, changed.active) == ("https://club.example/new", False)
    assert secret_of(changed) == secret_of(webhook)


def test_a_test_shows_its_result(olga: Client, webhook: Webhook, listener: Listener) -> None:
    assert "The test has arrived: 204." in text(olga.post(f"{HOOKS}{webhook.pk}/ping/", follow=True))
    listener.code, listener.body = 403, b"who are you?"
    page = text(olga.post(f"{HOOKS}{webhook.pk}/ping/", follow=True))
    assert "The test has failed: 403 who are you?" in page


def test_a_new_secret_is_shown_once(olga: Client, webhook: Webhook) -> None:
    assert olga.get(f"{HOOKS}{webhook.pk}/secret/").status_code == 302
    assert "within a day" in text(olga.post(f"{HOOKS}{webhook.pk}/secret/"))
    page = text(olga.post(f"{HOOKS}{webhook.pk}/secret/", {"sure": "1"}))
    assert re.search(r"whsec_[\w+/]{43}=<", page)
    assert secret_of(webhook) not in page
    assert secret_of(Webhook.objects.get()) in page


def test_a_failed_delivery_can_be_sent_again(olga: Client, webhook: Webhook) -> None:
    failed = Delivery.objects.create(
        webhook=webhook, kind="result", payload={}, status="failed", next_at=None
    )
    page = text(olga.get(f"{DELIVERIES}{failed.pk}/change/"))
    assert "Send again" in page
    olga.post(f"{DELIVERIES}{failed.pk}/again/")
    failed.refresh_from_db()
    assert failed.status == "waiting"


def test_an_inactive_webhook_shows_a_message_instead_of_sending(olga: Client, webhook: Webhook) -> None:
    failed = Delivery.objects.create(
        webhook=webhook, kind="result", payload={}, status="failed", next_at=None
    )
    Webhook.objects.update(active=False)
    page = text(olga.post(f"{DELIVERIES}{failed.pk}/again/", follow=True))
    assert "Make the webhook active first." in page


def test_the_body_of_a_response_is_shown_as_text(olga: Client, webhook: Webhook, listener: Listener) -> None:
    listener.code, listener.body = 500, b"<script>alert(1)</script>"
    sent = Delivery.objects.create(webhook=webhook, kind="result", payload={})
    send_webhook(webhook_id=webhook.pk)
    assert "<script>alert(1)" not in text(olga.get(f"{DELIVERIES}{sent.pk}/change/"))


@pytest.mark.parametrize("act", ["ping", "secret"])
def test_strangers_can_not_use_the_buttons(
    cast: Cast, webhook: Webhook, listener: Listener, act: str
) -> None:
    nora = Client()
    nora.force_login(cast.nora)
    assert nora.post(f"{HOOKS}{webhook.pk}/{act}/").status_code == 404
    assert (listener.received, Webhook.objects.get().salt) == ([], webhook.salt)


class TestTasksOnTheDesk:
    """The first page of the desk."""

    def needs(self, cast: Cast) -> list[str]:
        return [str(need.text) for need in needs_of(Club.objects.filter(pk=cast.club.pk))]

    @pytest.mark.parametrize(
        ("values", "expected"),
        [
            ({}, []),
            ({"failing_since": NOON}, ["has not answered since 6 Jun 2026, 12:00 UTC."]),
            ({"failing_since": NOON, "active": False}, []),
            (
                {"stopped_at": NOON, "failing_since": NOON, "active": False},
                ["has not answered since 6 Jun 2026, 12:00 UTC and is stopped."],
            ),
        ],
    )
    def test_include_a_failing_webhook(
        self, cast: Cast, webhook: Webhook, values: dict[str, Any], expected: list[str]
    ) -> None:
        Webhook.objects.update(**values)
        assert [text.partition("127.0.0.1 ")[2] for text in self.needs(cast)] == expected

    def test_include_a_delivery_given_up_recently(self, cast: Cast, webhook: Webhook) -> None:
        failed = {"webhook": webhook, "payload": {}, "status": "failed", "next_at": None}
        Delivery.objects.create(kind="result", tried_at=timezone.now() - timedelta(days=8), **failed)
        Delivery.objects.create(kind="ping", tried_at=timezone.now(), **failed)
        assert self.needs(cast) == []
        Delivery.objects.create(kind="result", tried_at=timezone.now(), **failed)
        assert self.needs(cast) == ["The webhook at 127.0.0.1 has missed messages."]

    def test_do_not_include_other_clubs(self, cast: Cast, webhook: Webhook) -> None:
        Webhook.objects.update(failing_since=timezone.now())
        assert needs_of(Club.objects.exclude(pk=cast.club.pk)) == []


def test_removing_a_webhook_removes_its_waiting_deliveries(olga: Client, webhook: Webhook) -> None:
    Delivery.objects.create(webhook=webhook, kind="result", payload={})
    olga.post(f"{HOOKS}{webhook.pk}/delete/", {"post": "yes"})
    assert not Webhook.objects.exists()
