"""The desk's pages of webhooks in a real browser: accessible, on a phone too."""

import pytest
from playwright.sync_api import Page, expect

from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.services import create_webhook
from tests.apps.webhooks.test_webhooks import listener
from tests.browsing import LogIn
from tests.factories import Cast
from tests.listener import Listener
from tests.web.test_browser import violations

__all__ = ["listener"]


@pytest.fixture
def webhook(cast: Cast, listener: Listener) -> Webhook:
    made = create_webhook(
        by=cast.olga, club=cast.club, url=listener.url, kinds=["result", "game_over"]
    ).webhook
    for code in (None, 204, 500):
        Delivery.objects.create(
            webhook=made,
            kind="result",
            payload={"competition": None},
            code=code,
            status="failed" if code == 500 else "delivered",
            attempts=3,
        )
    return made


def test_pages_are_accessible(phone: Page, cast: Cast, log_in: LogIn, webhook: Webhook) -> None:
    sent = webhook.deliveries.all()[0]
    addresses = [
        *("webhook/", "webhook/add/", f"webhook/{webhook.pk}/change/"),
        *("delivery/", f"delivery/{sent.pk}/change/"),
    ]
    log_in(phone, cast.olga)
    for address in addresses:
        answer = phone.goto(f"/admin/webhooks/{address}")
        assert answer and answer.ok, address
        assert violations(phone) == [], address
        assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0, address


def test_a_webhook_is_created_and_tested_by_keyboard(
    page: Page, cast: Cast, log_in: LogIn, listener: Listener
) -> None:
    log_in(page, cast.olga)
    page.goto("/admin/webhooks/webhook/add/")
    page.get_by_label("Address").fill(listener.url)
    page.get_by_label("round published").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.get_by_text("whsec_")).to_be_visible()
    page.get_by_role("link", name="I have copied it").press("Enter")
    page.get_by_role("button", name="Send a test").press("Enter")
    expect(page.get_by_text("The test has arrived: 204.")).to_be_visible()
    assert len(listener.received) == 1
