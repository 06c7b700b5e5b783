"""The offer to be told on the phone, in a browser that can be told, and in one that can't."""

import pytest
from playwright.sync_api import Page, expect

from league.apps.my_evening import pages
from league.apps.my_evening.models import EveningPush
from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from league.models import Competition
from tests.factories import Cast
from tests.league.playing import in_play, tables
from tests.web.test_browser import violations_by_day_and_night

TOLD = """{
  const kept = { held: null };
  PushManager.prototype.getSubscription = async () => kept.held;
  PushManager.prototype.subscribe = async (options) => kept.held = {
    endpoint: "https://push.example.org/send/abc", options,
    unsubscribe: async () => { kept.held = null; },
  };
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(Notification, "permission", { get: () => "default" });
}"""
"""No browser of a test has a push service."""


@pytest.fixture
def competition(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Competition:
    monkeypatch.setattr(pages, "is_offered", lambda _request: True)
    return in_play(cast, 8)


def test_it_is_turned_on_and_off_by_a_tap(phone: Page, cast: Cast, competition: Competition) -> None:
    phone.add_init_script(TOLD)
    _open(phone, cast, competition)
    phone.get_by_role("button", name="Tell me on this phone").click()
    off = phone.get_by_role("button", name="Tell me here no more")
    expect(off).to_be_visible()
    assert EveningPush.objects.get().endpoint == "https://push.example.org/send/abc"
    assert violations_by_day_and_night(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0
    phone.reload()
    off.click()
    expect(phone.get_by_role("button", name="Tell me on this phone")).to_be_visible()
    assert not EveningPush.objects.exists()


@pytest.mark.parametrize(
    "lacking",
    [
        "delete window.PushManager",
        "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
    ],
)
def test_a_browser_that_cannot_be_told_is_offered_nothing(
    phone: Page, cast: Cast, competition: Competition, lacking: str
) -> None:
    phone.add_init_script(lacking)
    _open(phone, cast, competition)
    expect(phone.locator("[data-push]")).to_have_count(1)
    phone.wait_for_load_state()
    expect(phone.locator("[data-push]")).to_be_hidden()
    expect(phone.get_by_text("this phone")).to_be_hidden()


def _open(phone: Page, cast: Cast, competition: Competition) -> None:
    player = tables(competition)[0].seats.get(number=0).player
    held = make_passes(by=cast.olga, competition=competition, people=[player])[player.pk]
    phone.goto(f"/enter/#{code_of(held)}")
    phone.get_by_role("button", name="Open").click()
    expect(phone.get_by_role("heading", name="Table 1, seat 1")).to_be_visible()
