"""The time zone of the reader's device is offered, and chosen with one tap."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.models import Club
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_browser import violations

OFFERED = "This device’s time zone: Pacific/Auckland"


def abroad(page: Page) -> Page:
    """Return a page on a device that is in Auckland."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTimezoneOverride", {"timezoneId": "Pacific/Auckland"})
    return page


@pytest.mark.parametrize("device", ["page", "phone"])
def test_the_zone_of_a_device_elsewhere_is_offered_until_it_is_chosen(
    request: pytest.FixtureRequest, device: str, cast: Cast, log_in: LogIn
) -> None:
    page = abroad(request.getfixturevalue(device))
    cast.game("tally")
    log_in(page, cast.paul)
    page.goto("/account/")
    expect(page.get_by_text(OFFERED)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Show me times in it").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator("main time").first).to_contain_text("NZ")
    expect(page.get_by_text(OFFERED)).to_have_count(0)
    page.goto("/account/zone/")
    expect(page.get_by_label("Time zone")).to_have_value("Pacific/Auckland")
    expect(page.get_by_text(OFFERED)).to_be_hidden()
    assert violations(page) == []


def test_a_device_where_the_club_is_offers_nothing(page: Page, cast: Cast, log_in: LogIn) -> None:
    Club.objects.update(timezone="Pacific/Auckland")
    log_in(abroad(page), cast.paul)
    page.goto("/account/")
    expect(page.get_by_text(OFFERED)).to_be_hidden()
    page.goto("/account/zone/")
    expect(page.get_by_text(OFFERED)).to_be_visible()
    page.get_by_label("Time zone").select_option("Asia/Tokyo")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto("/account/zone/")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")


def test_a_search_for_a_zone_chooses_none(page: Page, cast: Cast, log_in: LogIn) -> None:
    log_in(page, cast.olga)
    page.goto(f"/admin/league/club/{cast.club.pk}/change/")
    zone = page.locator("#id_timezone")
    before = zone.input_value()
    page.locator("[data-search=id_timezone]").fill("berl")
    expect(zone.locator("option")).to_have_text([re.compile(before), re.compile("Europe/Berlin")])
    expect(zone).to_have_value(before)
    assert "localtime" not in zone.inner_text()


@pytest.mark.parametrize("device", ["page", "phone"])
def test_a_club_in_utc_takes_the_zone_of_its_organisers_device(
    request: pytest.FixtureRequest, device: str, cast: Cast, log_in: LogIn
) -> None:
    page = request.getfixturevalue(device)
    Club.objects.update(timezone="UTC")
    log_in(page, cast.olga)
    page.goto("/admin/")
    offer = page.get_by_role("button", name="Use it for the club")
    abroad(page).reload()
    expect(page.get_by_text(OFFERED)).to_be_visible()
    assert violations(page) == []
    offer.click()
    expect(
        page.get_by_text("Times of Harbour Cards are shown in this time zone: Pacific/Auckland.")
    ).to_be_visible()
    expect(offer).to_have_count(0)
