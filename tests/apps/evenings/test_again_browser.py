"""Four Thursdays in a browser: each is three clicks away from the one before."""

from datetime import date

from playwright.sync_api import Page, expect

from league.models import Account, Competition
from league.services.competitions import change_details
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.playing import opened
from tests.web.test_browser import violations

BUTTONS = {
    "en-gb": ("Run this evening again", "Set up the evening", "Check-in list"),
    "de": ("Diesen Abend wiederholen", "Abend anlegen", "Anmeldung vor Ort"),
}


def three_clicks(page: Page, language: str) -> None:
    again, set_up, check_in = BUTTONS[language]
    page.get_by_role("link", name=again).first.click()
    expect(page.locator("input[name=entries]:checked")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not violations(page)
    page.get_by_role("button", name=set_up).click()
    page.get_by_role("link", name=check_in).first.click()
    expect(page.get_by_role("button", name="Paul Pike")).to_be_visible()


def test_each_thursday_is_three_clicks_away_from_the_one_before(
    page: Page, log_in: LogIn, cast: Cast
) -> None:
    held = opened(cast, 4, name="Thursday 1", entering={"check_in": True})
    change_details(by=cast.olga, competition=held, values={"begins_on": date(2027, 3, 4)})
    log_in(page, cast.olga)
    for number, (width, language) in enumerate(
        [(1280, "en-gb"), (390, "de"), (1280, "de"), (390, "en-gb")], 2
    ):
        Account.objects.filter(pk=cast.olga.pk).update(language=language)
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"/admin/league/competition/{held.pk}/change/?lang={language}")
        three_clicks(page, language)
        held = Competition.objects.get(name=f"Thursday {number}")
        assert page.url.endswith(f"/competitions/{held.slug}/check-in/")
